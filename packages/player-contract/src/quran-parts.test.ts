import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QURAN_PARTS, quranPart } from './quran-parts.ts'
import { SURAHS } from './surahs.ts'

for (const kind of ['juz', 'hizb'] as const)
  test(`the ${QURAN_PARTS[kind]} of ${kind} follow each other from the first verse to the last`, () => {
    const parts = Array.from({ length: QURAN_PARTS[kind] }, (_, n) => quranPart(kind, n + 1))
    assert.deepEqual(parts[0]?.from, { surah: 1, ayah: 1 })
    assert.deepEqual(parts.at(-1)?.to, { surah: 114, ayah: 6 })
    for (const [index, { from }] of parts.entries()) {
      if (index === 0) continue
      const before = parts[index - 1]?.to ?? { surah: 0, ayah: 0 }
      const isNextVerse = from.surah === before.surah && from.ayah === before.ayah + 1
      const isNextSurah =
        from.surah === before.surah + 1 &&
        from.ayah === 1 &&
        before.ayah === SURAHS[before.surah - 1]?.ayahs
      assert.ok(isNextVerse || isNextSurah, `${kind} ${index + 1}`)
    }
    const touched = new Set(parts.flatMap(({ surahs }) => surahs))
    assert.equal(touched.size, 114)
  })

const KNOWN: ['juz' | 'hizb', number, from: string, to: string, surahs: string][] = [
  ['juz', 1, '1:1', '2:141', '1,2'],
  ['juz', 2, '2:142', '2:252', '2'],
  ['juz', 13, '12:53', '14:52', '12,13,14'],
  ['juz', 29, '67:1', '77:50', '67,68,69,70,71,72,73,74,75,76,77'],
  ['hizb', 60, '87:1', '114:6', Array.from({ length: 28 }, (_, n) => n + 87).join()],
  ['hizb', 16, '7:1', '7:87', '7'],
]
for (const [kind, number, from, to, surahs] of KNOWN)
  test(`${kind} ${number} is ${from} to ${to}`, () => {
    const part = quranPart(kind, number)
    const text = ({ surah, ayah }: { surah: number; ayah: number }) => `${surah}:${ayah}`
    assert.deepEqual([text(part.from), text(part.to), part.surahs.join()], [from, to, surahs])
  })

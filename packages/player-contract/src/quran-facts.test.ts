import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinalOf, PAGE_COUNT, pageBounds, pageOf, placeOf, VERSE_TOTAL } from './quran-pages.ts'
import { quranPart } from './quran-parts.ts'
import { SURAHS } from './surahs.ts'
import { BASMALA_BEATS, VERSE_BEATS } from './verse-beats.ts'
import { countsOf, versesPerSurah } from './verse-counts.ts'

test('the 604 pages follow each other from the first verse to the last', () => {
  assert.equal(PAGE_COUNT, 604)
  let end = 0
  for (let page = 1; page <= PAGE_COUNT; page++) {
    const bounds = pageBounds(page)
    assert.equal(bounds.first, end, `page ${page}`)
    assert.ok(bounds.end > bounds.first, `page ${page}`)
    assert.equal(pageOf(placeOf(bounds.first)), page)
    assert.equal(pageOf(placeOf(bounds.end - 1)), page)
    end = bounds.end
  }
  assert.equal(end, VERSE_TOTAL)
})

test('every verse has its own ordinal', () => {
  assert.equal(VERSE_TOTAL, 6236)
  for (let ordinal = 0; ordinal < VERSE_TOTAL; ordinal++) {
    assert.equal(ordinalOf(placeOf(ordinal)), ordinal)
  }
  assert.deepEqual(placeOf(7), { surah: 2, verse: 1 })
  assert.deepEqual(placeOf(6235), { surah: 114, verse: 6 })
})

// One from each stretch, by the printed mushaf.
const PAGES: [page: number, surah: number, verse: number][] = [
  [1, 1, 1],
  [2, 2, 1],
  [3, 2, 6],
  [50, 3, 1],
  [106, 4, 176],
  [282, 17, 1],
  [440, 35, 45],
  [562, 67, 1],
  [582, 78, 1],
  [604, 112, 1],
]
for (const [page, surah, verse] of PAGES)
  test(`page ${page} begins with ${surah}:${verse}`, () => {
    assert.deepEqual(placeOf(pageBounds(page).first), { surah, verse })
  })

test('the juz of the last tenth begin with a page', () => {
  for (const juz of [28, 29, 30]) {
    const { surah, ayah } = quranPart('juz', juz).from
    assert.equal(
      pageBounds(pageOf({ surah, verse: ayah })).first,
      ordinalOf({ surah, verse: ayah }),
    )
  }
})

test('every verse has an expected length, and the longest is 2:282', () => {
  assert.deepEqual(
    VERSE_BEATS.map((beats) => beats.length),
    SURAHS.map(({ ayahs }) => ayahs),
  )
  const all = VERSE_BEATS.flat()
  assert.ok(all.every((beats) => Number.isInteger(beats) && beats >= 5))
  assert.equal(VERSE_BEATS[1]?.[281], Math.max(...all))
  assert.equal(BASMALA_BEATS, 26)
})

test('three ways to count have 6236, 6214 and 6217 verses', () => {
  const total = (counts: number[]) => counts.reduce((sum, verses) => sum + verses, 0)
  assert.equal(total(versesPerSurah('kufan')), 6236)
  assert.equal(total(versesPerSurah('warsh_qalun')), 6214)
  assert.equal(total(versesPerSurah('duri_susi')), 6217)
  assert.deepEqual(countsOf(67), [30, 31])
  assert.deepEqual(countsOf(112), [4])
})

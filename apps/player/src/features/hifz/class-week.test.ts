import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { LearnerExport, PortionToday, Today } from '@manara/player-contract/learners'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture, TOKEN } from '../../testing/player-fixture.ts'

const LEARNERS = 20
const DAYS = 7
const START = Date.parse('2026-03-01T15:00:00Z')
const DAY_MS = 86_400_000

type Box = Awaited<ReturnType<typeof open>>

async function open(t: TestContext, dataDir: string, at: number) {
  const clock = createManualClock(at)
  const box = await playerFixture(t, { clock, dataDir, files: ['Husary/114.mp3'] })
  return {
    ...box,
    async call<Body = never>(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
      const reply = await box.app.inject({
        method,
        url: `/api/hifz/learners${url}`,
        headers: { authorization: `Bearer ${TOKEN}` },
        ...(payload ? { payload } : {}),
      })
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json() as Body
    },
  }
}

const exportsOf = (box: Box, ids: number[]) =>
  Promise.all(ids.map((id) => box.call<LearnerExport>('GET', `/${id}/export`)))

/**
 * What a power cut leaves is what is on the disk at that instant: the files of the store are copied
 * while the box runs, and the next box starts from the copy.
 */
async function cutPower(t: TestContext, box: Box, dataDir: string, at: number) {
  const copy = mkdtempSync(path.join(tmpdir(), 'cut-'))
  t.after(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(dataDir, copy, { recursive: true })
  await box.close()
  return { box: await open(t, copy, at), dataDir: copy }
}

const GRADES = ['good', 'good', 'good', 'hesitant', 'again'] as const

test('a week of a class of twenty, with power cuts: nothing is lost and nothing is twice', async (t) => {
  let dataDir = mkdtempSync(path.join(tmpdir(), 'class-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  let box = await open(t, dataDir, START)
  const ids: number[] = []
  for (let number = 0; number < LEARNERS; number++) {
    const { id } = await box.call<{ id: number }>('POST', '', { name: `learner ${number}` })
    ids.push(id)
    await box.call('PUT', `/${id}/plan`, {
      order: (['forward', 'backward', 'ottoman'] as const)[number % 3],
      start: { surah: number % 3 === 1 ? 114 - number : 2, verse: 1 },
      unit: number % 2 ? 'page' : 'verse',
      amount: number % 2 ? 0.5 : 3,
      days: number % 4 === 0 ? 0b001_1111 : 0b111_1111,
      reciter: 'Husary',
    })
  }

  const acknowledged = new Map(ids.map((id): [number, string[]] => [id, []]))
  let deeds = 0
  let cuts = 0
  for (let day = 0; day < DAYS; day++) {
    for (const [place, id] of ids.entries()) {
      const today = await box.call<Today>('GET', `/${id}/today`)
      const due: PortionToday[] = [...(today.new ? [today.new] : []), ...today.recent, ...today.old]
      for (const { surah, from, to } of due) {
        const grade = GRADES[deeds % GRADES.length] ?? 'good'
        await box.call('POST', `/${id}/grades`, { surah, from, to, grade, by: 'teacher' })
        acknowledged.get(id)?.push(`${surah}:${from}-${to} ${grade}`)
        deeds += 1
      }
      // The last one of a day, and every ninth learner: right after the reply.
      if (place !== LEARNERS - 1 && place % 9 !== 4) continue
      const before = await exportsOf(box, ids)
      const at = START + day * DAY_MS
      ;({ box, dataDir } = await cutPower(t, box, dataDir, at))
      assert.deepEqual(await exportsOf(box, ids), before)
      cuts += 1
    }
    ;({ box, dataDir } = await cutPower(t, box, dataDir, START + (day + 1) * DAY_MS))
  }

  assert.ok(deeds > 400, `${deeds} grades`)
  assert.ok(cuts >= 20, `${cuts} cuts`)
  for (const { learner, grades, portions, days } of await exportsOf(box, ids)) {
    const kept = grades.map(({ surah, from, to, grade }) => `${surah}:${from}-${to} ${grade}`)
    assert.deepEqual(kept, acknowledged.get(learner.id), learner.name)
    const verses = portions.flatMap(({ surah, from, to }) =>
      Array.from({ length: to - from + 1 }, (_, index) => `${surah}:${from + index}`),
    )
    assert.equal(new Set(verses).size, verses.length, 'no verse is learnt twice')
    assert.equal(new Set(days).size, days.length)
  }
})

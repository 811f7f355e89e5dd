import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const MINUTE = 60_000
const MAKKAH = 'Adhan/makkah.mp3'
// In Cairo, on a clock that shows UTC.
const DHUHR = Date.parse('2025-09-12T09:51:00Z')

/** A box a minute before Dhuhr whose disk takes nothing any more, and that has no chime yet. */
async function fullBox(t: TestContext) {
  const clock = createManualClock(DHUHR - MINUTE)
  const box = await playerFixture(t, { files: [MAKKAH], clock })
  const adhan = { enabled: true, prayer_mask: 61, volume: 80, path: MAKKAH }
  const place = { lat: 30.0312784, lng: 31.2125945, method: 2 }
  assert.equal((await box.post('/prayer/config', { ...place, adhan })).statusCode, 200)
  box.db.exec('PRAGMA query_only = ON')
  rmSync(path.join(box.dataDir, 'chime.wav'), { force: true })
  // A folder in its place is what no process can write to, whoever runs it.
  mkdirSync(path.join(box.dataDir, 'chime.wav.new'))
  return {
    ...box,
    async advance(ms: number) {
      box.clock.advance(ms)
      await box.settled()
    },
    adhans: () => box.seen.flatMap(({ event, data }) => (event === 'adhan' ? [data] : [])),
    failures: async (): Promise<{ component: string; error: string }[]> =>
      (await box.get('/system')).json().boot_failures,
  }
}

test('on a full disk the adhan sounds at its minute, once, and the owner is told', async (t) => {
  const box = await fullBox(t)
  await box.advance(MINUTE)
  assert.deepEqual(box.adhans(), [{ prayer: 'dhuhr', phase: 'started' }])
  assert.equal((await box.get('/playback/status')).json().track, MAKKAH)
  const components = (await box.failures()).map(({ component }) => component)
  assert.deepEqual(components.sort(), ['adhan', 'timekeeping'])
  box.wall.become(DHUHR - MINUTE, 'sntp')
  await box.advance(2 * MINUTE)
  assert.equal(box.adhans().length, 1, 'a clock that is set back repeats nothing')
})

test('POST /prayer/test-adhan needs no chime where the adhan is there', async (t) => {
  const box = await fullBox(t)
  const reply = await box.post('/prayer/test-adhan')
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal(reply.json().track, MAKKAH)
  assert.match(JSON.stringify(await box.failures()), /chime cannot be made/)
})

test('the chime is made when the box starts, before the disk is full', async (t) => {
  const box = await playerFixture(t)
  box.db.exec('PRAGMA query_only = ON')
  mkdirSync(path.join(box.dataDir, 'chime.wav.new'))
  const reply = await box.post('/prayer/test-adhan')
  assert.equal(reply.statusCode, 200, reply.body)
  assert.equal(reply.json().track, 'chime')
})

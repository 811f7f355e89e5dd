import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { playerFixture } from './testing/player-fixture.ts'

const HOUR_S = 3_600
// A leak of one small object a second would be several times this after a day.
const ALLOWED_BYTES = 4 * 1024 * 1024

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

test('24 h of virtual use do not grow memory', async (t) => {
  const { audio, clock, post, get, seen, settled } = await playerFixture(t)
  await post('/prayer/config', { lat: 30.04, lng: 31.24, method: 2, adhan: { enabled: true } })
  await post('/playback/mode', { mode: 'hifz_repeat', repeat: 0, pause_s: 5 })
  await post('/playback/play', { path: 'Husary/001.mp3' })

  async function hour() {
    for (let second = 1; second <= HOUR_S; second += 1) {
      clock.advance(1_000)
      audio.playTo((second % 60) * 1_000)
      if (second % 60 === 0) {
        audio.end()
        await settled()
        await get('/playback/status')
      }
    }
    await post('/playback/seek', { position: 1_000 }).catch(() => {})
    await post('/playback/volume', { volume: 40 })
    await post('/library/rescan')
    // The fixture's own record of events is not the box's memory.
    seen.length = 0
  }

  // Caches fill in the first hours; from then on nothing may.
  for (let n = 0; n < 4; n += 1) await hour()
  const before = heapInUse()
  for (let n = 4; n < 24; n += 1) await hour()
  const grown = heapInUse() - before
  assert.ok(grown < ALLOWED_BYTES, `grew by ${(grown / 1024 / 1024).toFixed(1)} MiB`)
})

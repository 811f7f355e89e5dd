import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { SleepTimerStatus } from '@manara/player-contract/queue'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'
import type { KeptTimer } from './sleep-timer.store.ts'
import { createSleepTimer } from './sleep-timer.ts'

const MINUTE = 60_000

async function drowsyBox(t: TestContext, options: FixtureOptions = {}) {
  const box = await playerFixture(t, options)
  await box.post('/playback/play', { path: 'Husary/002.mp3' })
  box.audio.playTo(9_000)
  return {
    ...box,
    status: async () => (await box.get('/playback/status')).json(),
    sleep: async () => (await box.get('/playback/sleep')).json(),
    async advance(ms: number) {
      box.clock.advance(ms)
      await box.settled()
      await box.settled()
    },
  }
}

test('POST /playback/sleep fades and stops after its minutes, and the place is kept', async (t) => {
  const box = await drowsyBox(t)
  assert.deepEqual(await box.sleep(), { active: false, in_s: 0, fade_s: 30 })
  const reply = (await box.post('/playback/sleep', { minutes: 10, fade_s: 60 })).json()
  assert.deepEqual(reply, { success: true, active: true, in_s: 600, fade_s: 60 })
  await box.advance(9 * MINUTE - 1)
  assert.deepEqual(box.audio.fades, [])
  await box.advance(1)
  assert.deepEqual(box.audio.fades, [{ level: 0, duration_ms: 60_000 }])
  assert.deepEqual([(await box.status()).state, (await box.sleep()).in_s], ['playing', 60])
  await box.advance(MINUTE)
  const { state, hasResumeState, volume } = await box.status()
  assert.deepEqual([state, hasResumeState, volume], ['stopped', true, 50])
  assert.equal((await box.sleep()).active, false)
  assert.equal((await box.post('/playback/resume-saved')).json().position, 9_000)
})

test('DELETE /playback/sleep calls it off, also while it fades', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.advance(45_000)
  const reply = await box.del('/playback/sleep')
  assert.deepEqual([reply.statusCode, reply.json().active], [200, false])
  assert.deepEqual(box.audio.fades.at(-1), { level: 1, duration_ms: 500 })
  await box.advance(10 * MINUTE)
  assert.equal((await box.status()).state, 'playing')
})

test('what begins while it fades begins where the fade has come to, and goes on falling', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/mode', { mode: 'repeat_one' })
  await box.post('/playback/sleep', { minutes: 1, fade_s: 40 })
  await box.post('/playback/seek', { position: 1_000 })
  assert.deepEqual(box.audio.fallings, [], 'not before it fades')
  await box.advance(30_000)
  box.audio.end()
  await box.settled()
  await box.advance(10_000)
  await box.post('/playback/pause')
  await box.post('/playback/resume')
  await box.advance(10_000)
  await box.post('/playback/seek', { position: 2_000 })
  assert.deepEqual(box.audio.fallings, [
    { level: 0.75, over_ms: 30_000 },
    { level: 0.5, over_ms: 20_000 },
    { level: 0.25, over_ms: 10_000 },
  ])
  await box.del('/playback/sleep')
  assert.deepEqual(box.audio.fades.at(-1), { level: 1, duration_ms: 500 })
  await box.post('/playback/next')
  assert.equal(box.audio.fallings.length, 3, 'called off: at the whole volume')
})

test('what the adhan interrupted goes on where the fade has come to, and the adhan is whole', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1, fade_s: 40 })
  await box.advance(25_000)
  await box.post('/prayer/test-adhan')
  await box.post('/playback/pause')
  await box.post('/playback/resume')
  assert.deepEqual(box.audio.fallings, [])
  await box.advance(15_000)
  box.audio.end()
  await box.settled()
  assert.deepEqual(box.audio.fallings, [{ level: 0.5, over_ms: 20_000 }])
})

test('a second timer replaces the first', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.post('/playback/sleep', { minutes: 30 })
  await box.advance(5 * MINUTE)
  assert.deepEqual([(await box.status()).state, (await box.sleep()).in_s], ['playing', 25 * 60])
})

test('the adhan is neither faded nor cut short, and what it interrupted does not go on', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.post('/prayer/test-adhan')
  await box.advance(2 * MINUTE)
  const slow = box.audio.fades.filter(({ duration_ms }) => duration_ms === 30_000)
  assert.deepEqual([slow, (await box.status()).adhan], [[], 'manual'])
  box.audio.end()
  await box.settled()
  await box.settled()
  assert.equal((await box.status()).state, 'stopped')
  assert.equal((await box.sleep()).active, false)
})

test('what is chosen after the timer ran out during the adhan plays on, at the whole volume', async (t) => {
  const choices: [url: string, body: object | undefined, surah: number][] = [
    ['play', { path: 'Husary/114.mp3' }, 114],
    ['next', undefined, 114],
    ['resume-saved', undefined, 2],
  ]
  for (const [url, body, surah] of choices) {
    const box = await drowsyBox(t)
    await box.post('/playback/sleep', { minutes: 1 })
    await box.advance(50_000)
    await box.post('/prayer/test-adhan')
    await box.advance(20_000)
    assert.equal((await box.sleep()).active, false)
    assert.equal((await box.post(`/playback/${url}`, body)).statusCode, 200, url)
    await box.advance(MINUTE)
    const { state, surah_number } = await box.status()
    assert.deepEqual([state, surah_number], ['playing', surah], url)
    assert.deepEqual(box.audio.fallings, [], url)
  }
})

test('an adhan that is stopped after the timer ran out leaves it silent, and the place is kept', async (t) => {
  const box = await drowsyBox(t)
  await box.post('/playback/sleep', { minutes: 1, fade_s: 0 })
  await box.post('/prayer/test-adhan')
  await box.advance(2 * MINUTE)
  await box.post('/prayer/stop-adhan')
  assert.equal((await box.status()).state, 'stopped')
  assert.equal(box.audio.loaded.length, 2, 'not for a moment')
  assert.equal((await box.post('/playback/resume-saved')).json().position, 9_000)
})

test('POST /system/sleep ends the timer: the morning is not what it was set for', async (t) => {
  const sysfs = { 'sys/power/state': 'mem', 'sys/class/rtc/rtc0/wakealarm': '' }
  const box = await drowsyBox(t, { sysfs })
  await box.post('/playback/sleep', { minutes: 60 })
  const ended = box.next('sleep')
  await box.post('/system/sleep')
  box.clock.advance(500)
  assert.deepEqual(await ended, { active: false, in_s: 0, fade_s: 30 })
  await box.post('/playback/play', { path: 'Husary/114.mp3' })
  await box.advance(60 * MINUTE)
  assert.equal((await box.status()).state, 'playing')
  await box.close()
  const { cardDir, dataDir } = box
  const again = await playerFixture(t, { files: [], cardDir, dataDir })
  assert.equal((await again.get('/playback/sleep')).json().active, false)
})

/** The same disk and card after a power cut of so long: nothing of the box before was stopped. */
async function afterPowerCut(
  t: TestContext,
  { wall, dataDir, cardDir }: Awaited<ReturnType<typeof drowsyBox>>,
  off_ms: number,
) {
  const disk = mkdtempSync(path.join(tmpdir(), 'power-cut-'))
  t.after(() => rmSync(disk, { recursive: true }))
  cpSync(dataDir, disk, { recursive: true })
  const clock = createManualClock(wall.now() + off_ms)
  return playerFixture(t, { files: [], clock, dataDir: disk, cardDir })
}

test('after a power cut the timer goes on as if the box had been on', async (t) => {
  const before = await drowsyBox(t)
  await before.post('/settings/auto-resume', { enabled: true })
  await before.post('/playback/sleep', { minutes: 10, fade_s: 60 })
  await before.advance(2 * MINUTE)
  const box = await afterPowerCut(t, before, 3 * MINUTE)
  const { active, in_s, fade_s } = (await box.get('/playback/sleep')).json()
  assert.deepEqual([active, in_s, fade_s], [true, 300, 60])
  assert.equal((await box.get('/playback/status')).json().state, 'playing')
  box.clock.advance(4 * MINUTE)
  await box.settled()
  assert.deepEqual(box.audio.fades, [{ level: 0, duration_ms: 60_000 }])
  box.clock.advance(MINUTE)
  await box.settled()
  await box.settled()
  assert.equal((await box.get('/playback/status')).json().state, 'stopped')
  assert.equal((await box.get('/playback/sleep')).json().active, false)
})

test('a timer that ran out while the box was off leaves it silent, now and at the next start', async (t) => {
  const before = await drowsyBox(t)
  await before.post('/settings/auto-resume', { enabled: true })
  await before.post('/playback/sleep', { minutes: 10 })
  for (const off_ms of [10 * MINUTE, 20 * MINUTE]) {
    const box = await afterPowerCut(t, before, off_ms)
    const { state, hasResumeState } = (await box.get('/playback/status')).json()
    assert.deepEqual([state, hasResumeState], ['stopped', true])
    assert.equal((await box.get('/playback/sleep')).json().active, false)
    await box.close()
    const again = await playerFixture(t, { files: [], dataDir: box.dataDir, cardDir: box.cardDir })
    assert.equal((await again.get('/playback/status')).json().state, 'stopped')
  }
})

/** A timer on a disk of its own that keeps one of ten minutes, as a power cut leaves it. */
function timerAfterPowerCut() {
  const clock = createManualClock()
  let kept: KeptTimer | undefined = { ends_at: 600_000, length_ms: 600_000, fade_s: 0 }
  const told: SleepTimerStatus[] = []
  const silenced: number[] = []
  const timer = createSleepTimer({
    clock,
    wall: { now: clock.monotonic, onChange: () => () => {} },
    log: { warn() {} },
    store: {
      read: () => kept,
      save(timer) {
        kept = timer
      },
      clear() {
        kept = undefined
      },
    },
    fade: async () => {},
    silence: async () => {
      silenced.push(clock.monotonic())
    },
    onChange: (status) => told.push(status),
  })
  return { clock, silenced, timer, told }
}

test('a timer that goes on after a restart is told to who asked before', () => {
  const { timer, told } = timerAfterPowerCut()
  assert.equal(timer.status().active, false)
  assert.equal(timer.restore(), false)
  assert.deepEqual(told, [{ active: true, in_s: 600, fade_s: 0 }])
})

test('a timer that is set before the one of before the restart goes on is the only one', async () => {
  const { clock, silenced, timer } = timerAfterPowerCut()
  await timer.set({ minutes: 20 })
  assert.equal(timer.restore(), false)
  assert.equal(timer.status().in_s, 1_200)
  await timer.cancel()
  clock.advance(30 * MINUTE)
  assert.deepEqual(silenced, [])
})

test('a clock that was set, or lost with the power, makes the timer neither end at once nor last longer', async (t) => {
  const before = await drowsyBox(t)
  await before.post('/playback/sleep', { minutes: 10 })
  await before.wall.set(before.wall.now() / 1000 + 86_400)
  const set = await afterPowerCut(t, before, MINUTE)
  assert.equal((await set.get('/playback/sleep')).json().in_s, 540)
  const lost = await afterPowerCut(t, before, -30 * 86_400_000)
  assert.equal((await lost.get('/playback/sleep')).json().in_s, 600)
})

test('every change is a sleep event', async (t) => {
  const box = await drowsyBox(t)
  box.seen.splice(0)
  await box.post('/playback/sleep', { minutes: 1 })
  await box.advance(MINUTE)
  const told = box.seen.flatMap(({ event, data }) =>
    event === 'sleep' ? [(data as { active: boolean }).active] : [],
  )
  assert.deepEqual(told, [true, false])
})

for (const body of [
  {},
  { minutes: 0 },
  { minutes: 721 },
  { minutes: '5' },
  { minutes: 5, fade_s: 301 },
])
  test(`POST /playback/sleep refuses ${JSON.stringify(body)}`, async (t) => {
    const { post } = await playerFixture(t)
    const reply = await post('/playback/sleep', body)
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error, /^(minutes|fade_s)/)
  })

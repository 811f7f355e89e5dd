import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { AppError } from '@manara/kit/errors'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createManualWallClock } from '../../testing/manual-wall-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'
import { createFallAsleep } from './fall-asleep.ts'

const SLEEPY = { 'sys/power/state': 'mem', 'sys/class/rtc/rtc0/wakealarm': '' }

test('POST /system/sleep where the host cannot sleep is 500 with the reason', async (t) => {
  const { post } = await playerFixture(t)
  const reply = await post('/system/sleep')
  assert.equal(reply.statusCode, 500)
  assert.deepEqual(reply.json(), {
    error: 'this host cannot sleep: the kernel offers no sleep state',
  })
})

test('POST /system/sleep answers, then stops playback and sleeps', async (t) => {
  const { clock, get, next, post, settled, sysfs } = await playerFixture(t, { sysfs: SLEEPY })
  const state = () => readFileSync(path.join(sysfs, 'sys/power/state'), 'utf8')
  await post('/playback/play', { path: 'Husary/001.mp3' })
  const reply = await post('/system/sleep')
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.json(), { success: true, wakes_at: null })
  assert.equal((await get('/playback/status')).json().state, 'playing')
  assert.equal(state(), 'mem\n', 'untouched until the reply has left')
  const stopped = next('playback')
  clock.advance(500)
  await stopped
  await settled()
  assert.equal((await get('/playback/status')).json().state, 'stopped')
})

test('POST /system/sleep wakes for the next enabled schedule', async (t) => {
  const { get, post } = await playerFixture(t, { sysfs: SLEEPY })
  const target = { type: 'surah', reciter: 'Husary', surah: 1 }
  for (const hour of [7, 5]) {
    await post('/schedules', { hour, minute: 30, days: 127, target })
  }
  const [later, sooner] = (await get('/schedules')).json().schedules
  assert.equal((await post('/system/sleep')).json().wakes_at, sooner.next_fire)
  await post(`/schedules/${sooner.id}/enable`, { enabled: false })
  assert.equal((await post('/system/sleep')).json().wakes_at, later.next_fire)
})

const NOW = Date.parse('2026-01-01T00:00:00Z')

function setup({
  trusted = true,
  alarm = true,
  due = (NOW + 3_600_000) as number | undefined,
} = {}) {
  const clock = createManualClock(NOW)
  const slept: (number | undefined)[] = []
  const order: string[] = []
  const asleep = Promise.withResolvers<void>()
  const fallAsleep = createFallAsleep({
    clock,
    wall: createManualWallClock(clock, trusted ? 'rtc' : 'none'),
    log: { info: () => {}, warn: () => {} } as never,
    nextWake: () => due,
    board: {
      whyNoSleep: async () => undefined,
      canWakeItself: async () => alarm,
      async sleep(wakeIn_s) {
        order.push('sleep')
        slept.push(wakeIn_s)
        asleep.resolve()
      },
    },
    async beforeSleep() {
      order.push('quiet')
    },
  })
  return { clock, fallAsleep, slept, order, asleep: asleep.promise }
}

test('the box wakes half a minute before what is due next, and says for what', async () => {
  const { asleep, clock, fallAsleep, order, slept } = setup()
  assert.deepEqual(await fallAsleep(), { success: true, wakes_at: NOW / 1000 + 3600 })
  clock.advance(10_000)
  await asleep
  assert.deepEqual(slept, [3600 - 10 - 30])
  assert.deepEqual(order, ['quiet', 'sleep'])
})

test('two calls at once are one sleep', async () => {
  const { asleep, clock, fallAsleep, slept } = setup()
  await Promise.all([fallAsleep(), fallAsleep()])
  clock.advance(500)
  await asleep
  assert.equal(slept.length, 1)
})

for (const [what, options] of [
  ['the time is not trusted', { trusted: false }],
  ['no clock chip can wake it', { alarm: false }],
] as const) {
  test(`no wake-up is promised when ${what}`, async () => {
    assert.equal((await setup(options).fallAsleep()).wakes_at, null)
  })
}

test('a refusal is an error that may be told', async () => {
  const fallAsleep = createFallAsleep({
    board: { whyNoSleep: async () => 'it is a lamp' },
  } as never)
  await assert.rejects(fallAsleep(), (error) => error instanceof AppError && error.status === 500)
})

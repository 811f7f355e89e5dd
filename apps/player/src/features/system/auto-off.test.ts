import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'
import { createAutoOff } from './auto-off.ts'
import type { KeepAwake } from './domain/keep-awake.ts'

const MINUTE = 60_000

function setup({ minutes = 10, error = undefined as Error | undefined } = {}) {
  const clock = createManualClock()
  const awake = {
    playback: false,
    hifz_gap: false,
    firmware_update: false,
    dashboard: false,
  }
  const state = { minutes, sleeps: 0, warnings: 0, isDueSoon: false, touch: () => {} }
  const keepAwake = Object.fromEntries(
    Object.keys(awake).map((reason) => [reason, () => awake[reason as keyof KeepAwake]]),
  ) as KeepAwake
  const autoOff = createAutoOff({
    clock,
    keepAwake,
    minutes: () => state.minutes,
    isDueSoon: () => state.isDueSoon,
    async fallAsleep() {
      state.sleeps += 1
      if (error) throw error
    },
    onActivity(listener) {
      state.touch = listener
      return () => {
        state.touch = () => {}
      }
    },
    log: {
      info: () => {},
      warn: () => {
        state.warnings += 1
      },
    } as never,
  })
  autoOff.start()
  return { autoOff, awake, clock, state }
}

test('auto-off: the box sleeps after the idle minutes, not before', () => {
  const { clock, state } = setup()
  clock.advance(10 * MINUTE - 1)
  assert.equal(state.sleeps, 0)
  clock.advance(1)
  assert.equal(state.sleeps, 1)
})

test('auto-off: 0 minutes never sleeps', () => {
  const { clock, state } = setup({ minutes: 0 })
  clock.advance(24 * 60 * MINUTE)
  assert.equal(state.sleeps, 0)
})

for (const reason of ['playback', 'hifz_gap', 'firmware_update', 'dashboard'] as const) {
  test(`auto-off: ${reason} keeps the box awake, and the minutes count from its end`, () => {
    const { awake, clock, state } = setup()
    awake[reason] = true
    clock.advance(60 * MINUTE)
    assert.equal(state.sleeps, 0)
    awake[reason] = false
    clock.advance(10 * MINUTE - 1)
    assert.equal(state.sleeps, 0)
    clock.advance(1)
    assert.equal(state.sleeps, 1)
  })
}

test('auto-off: what somebody does begins the minutes anew', () => {
  const { clock, state } = setup()
  clock.advance(9 * MINUTE)
  state.touch()
  clock.advance(9 * MINUTE)
  assert.equal(state.sleeps, 0)
  clock.advance(MINUTE)
  assert.equal(state.sleeps, 1)
})

test('auto-off: the box stays awake for what is due soon, and sleeps when that is over', () => {
  const { clock, state } = setup()
  state.isDueSoon = true
  clock.advance(11 * MINUTE)
  assert.equal(state.sleeps, 0)
  state.isDueSoon = false
  clock.advance(5_000)
  assert.equal(state.sleeps, 1)
})

test('auto-off: a new setting counts at once', () => {
  const { clock, state } = setup({ minutes: 240 })
  clock.advance(5 * MINUTE)
  state.minutes = 5
  clock.advance(5_000)
  assert.equal(state.sleeps, 1)
})

test('auto-off: after waking it counts anew, and a host that cannot sleep is mentioned once', async () => {
  const { clock, state } = setup({ error: new Error('this host cannot sleep') })
  for (const sleeps of [1, 2, 3]) {
    clock.advance(10 * MINUTE)
    assert.equal(state.sleeps, sleeps)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(state.warnings, 1)
})

test('auto-off: stopped is stopped', () => {
  const { autoOff, clock, state } = setup()
  autoOff.stop()
  clock.advance(60 * MINUTE)
  assert.equal(state.sleeps, 0)
})

const SLEEPY = { 'sys/power/state': 'freeze mem', 'sys/class/rtc/rtc0/wakealarm': '' }

test('POST /settings/auto-off: the whole box sleeps when idle, not while it plays or is watched', async (t) => {
  const box = await playerFixture(t, { sysfs: SLEEPY })
  const { audio, clients, clock, post, settled } = box
  const state = path.join(box.sysfs, 'sys/power/state')
  const isAsleep = () => readFileSync(state, 'utf8') === 'mem'
  await post('/settings/auto-off', { auto_off_minutes: 5 })

  await post('/playback/play', { path: 'Husary/001.mp3' })
  clock.advance(20 * MINUTE)
  audio.end()
  await settled()
  clients.count = 1
  clock.advance(20 * MINUTE)
  assert.equal(isAsleep(), false)

  clients.count = 0
  clock.advance(5 * MINUTE)
  // The host is asked first, by files; only then the half second for replies begins.
  for (let turn = 0; turn < 10_000 && !isAsleep(); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1)
  }
  assert.equal(isAsleep(), true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VouchedTime } from '../ports/wall-clock.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { createSystemWallClock } from './system-wall-clock.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const start_s = START / 1000

/** A machine whose clock, chip, network and boots a test commands; the real clock is never touched. */
function machine() {
  const base = createManualClock(START)
  const state = {
    skew_ms: 0,
    slept_ms: 0,
    bootId: 'first',
    bootedAt_ms: 0,
    rtc_s: undefined as number | undefined,
    chipSetTo: undefined as number | undefined,
    hasRtc: false,
    maySet: true,
    evidence: undefined as string | undefined,
    kept: undefined as VouchedTime | undefined,
    vouchedFor: false,
    isDiskFull: false,
  }
  const clock = { ...base, now: () => base.now() + state.skew_ms }

  function boot() {
    const wall = createSystemWallClock({
      clock,
      uptime: () => (base.monotonic() + state.slept_ms - state.bootedAt_ms) / 1000,
      bootId: state.bootId,
      readRtc: async () => state.rtc_s,
      async writeRtc(epoch_s) {
        if (!state.hasRtc) throw new Error('no clock chip is fitted')
        state.rtc_s = epoch_s
      },
      async setSystemClock(epoch_s) {
        if (!state.maySet) throw new Error('Operation not permitted')
        state.skew_ms = epoch_s * 1000 - base.now()
        if (state.evidence === 'kernel') state.evidence = undefined
      },
      evidence: async () => state.evidence,
      memory: {
        read: () => state.kept,
        save: (time) => {
          if (state.isDiskFull) throw new Error('disk full')
          state.kept = JSON.parse(JSON.stringify(time))
        },
        chipSetTo: () => state.chipSetTo,
        saveChipSetTo: (epoch_s) => {
          if (state.isDiskFull) throw new Error('disk full')
          state.chipSetTo = epoch_s
        },
      },
      vouchedFor: state.vouchedFor,
      log: { info: () => {}, warn: () => {} },
    })
    let changes = 0
    wall.onChange(() => {
      changes += 1
    })
    return { wall, changes: () => changes }
  }

  async function started() {
    const box = boot()
    await box.wall.start()
    return box
  }

  return {
    state,
    started,
    advance: base.advance,
    /** Time passes and what was asked meanwhile is answered. */
    async pass(ms: number) {
      base.advance(ms)
      await new Promise((resolve) => setImmediate(resolve))
    },
    powerCut() {
      state.bootId = `${state.bootId}'`
      state.bootedAt_ms = base.monotonic() + state.slept_ms
    },
  }
}

test('nobody vouches for a plausible time without chip and network', async () => {
  const { wall } = await machine().started()
  assert.equal(wall.source(), 'none')
  assert.equal(wall.isTrusted(), false)
})

test('a chip that was never set by this box vouches for nothing, however plausible', async () => {
  const { state, started, pass, powerCut } = machine()
  Object.assign(state, { hasRtc: true, rtc_s: start_s + 86_400 })
  const { wall } = await started()
  assert.equal(wall.source(), 'none')
  assert.equal(wall.now(), START)
  wall.stop()
  // Once the network has been heard, also a chip that happens to agree is set and known.
  Object.assign(state, { rtc_s: start_s, evidence: 'kernel' })
  const second = await started()
  assert.equal(state.chipSetTo, start_s)
  second.wall.stop()
  powerCut()
  Object.assign(state, { evidence: undefined, rtc_s: start_s + 600 })
  await pass(600_000)
  assert.equal((await started()).wall.source(), 'rtc')
})

test('a chip that tells an earlier time than it was set to has lost it', async () => {
  const { state, started } = machine()
  Object.assign(state, { hasRtc: true, rtc_s: start_s - 1, chipSetTo: start_s })
  assert.equal((await started()).wall.source(), 'none')
})

test('a chip that the kernel has corrected backwards is ours again with the next network time', async () => {
  const { state, started } = machine()
  Object.assign(state, { hasRtc: true, rtc_s: start_s, chipSetTo: start_s + 86_400 })
  state.evidence = 'kernel'
  await started()
  assert.equal(state.chipSetTo, start_s)
})

test('a chip that refused is not taken for one that was set', async () => {
  const { state, started } = machine()
  state.rtc_s = start_s
  const { wall } = await started()
  assert.deepEqual(await wall.set(start_s + 999), { system_clock: true, rtc: false })
  assert.equal(state.chipSetTo, undefined)
})

test('a chip that was set vouches at boot, and the machine’s clock follows it', async () => {
  const { state, started } = machine()
  state.rtc_s = start_s + 86_400
  state.chipSetTo = start_s
  const { wall } = await started()
  assert.equal(wall.source(), 'rtc')
  assert.equal(wall.now(), START + 86_400_000)
  assert.equal(state.skew_ms, 86_400_000)
})

for (const year of ['1970', '2000', '2024', '2100']) {
  test(`a chip that woke in ${year} vouches for nothing`, async () => {
    const { state, started } = machine()
    state.rtc_s = state.chipSetTo = Date.parse(`${year}-06-01T00:00:00Z`) / 1000
    const { wall } = await started()
    assert.equal(wall.source(), 'none')
    assert.equal(wall.now(), START)
  })
}

test('where the machine’s clock cannot be set, the service goes by the chip on its own', async () => {
  const { state, started, advance } = machine()
  Object.assign(state, { rtc_s: start_s + 3600, chipSetTo: start_s, maySet: false })
  const { wall } = await started()
  advance(1000)
  assert.equal(wall.now(), START + 3_601_000)
  assert.equal(state.skew_ms, 0)
})

test('the network beats the chip at boot, and the chip learns from it', async () => {
  const { state, started } = machine()
  Object.assign(state, { hasRtc: true, rtc_s: start_s - 500, evidence: 'kernel' })
  const { wall } = await started()
  assert.equal(wall.source(), 'sntp')
  assert.equal(wall.now(), START)
  assert.equal(state.rtc_s, start_s)
})

test('the network is heard when it comes up later, and everyone is told once', async () => {
  const { state, started, pass } = machine()
  const { wall, changes } = await started()
  await pass(60_000)
  assert.equal(wall.source(), 'none')
  state.evidence = 'kernel'
  await pass(15_000)
  assert.equal(wall.source(), 'sntp')
  assert.equal(changes(), 1)
  await pass(60_000)
  assert.equal(changes(), 1)
})

test('set: clock and chip take the time, and the source is a person', async () => {
  const { state, started } = machine()
  Object.assign(state, { hasRtc: true, evidence: 'kernel' })
  const { wall, changes } = await started()
  const before = changes()
  assert.deepEqual(await wall.set(start_s + 999), { system_clock: true, rtc: true })
  assert.equal(wall.source(), 'manual')
  assert.equal(wall.now(), START + 999_000)
  assert.equal(state.rtc_s, start_s + 999)
  assert.equal(changes() - before, 1)
})

test('set without the right to: the service keeps the difference and says so', async () => {
  const { state, started, pass } = machine()
  Object.assign(state, { maySet: false, evidence: 'kernel' })
  const { wall } = await started()
  assert.deepEqual(await wall.set(start_s + 999), { system_clock: false, rtc: false })
  await pass(60_000)
  assert.equal(wall.now(), START + 1_059_000)
  assert.equal(wall.source(), 'manual', 'what was known before is no news')
})

test('after a time set by hand the network takes over with its next setting', async () => {
  const { state, started, pass } = machine()
  Object.assign(state, { maySet: false, evidence: 'timesyncd 1' })
  const { wall } = await started()
  await wall.set(start_s + 999)
  await pass(15_000)
  assert.equal(wall.source(), 'manual')
  state.evidence = 'timesyncd 2'
  await pass(15_000)
  assert.equal(wall.source(), 'sntp')
  assert.equal(wall.now(), START + 30_000, 'and the difference is gone')
})

test('a jump of the machine’s clock is told within a second', async () => {
  const { state, started, pass } = machine()
  state.rtc_s = state.chipSetTo = start_s
  const { wall, changes } = await started()
  state.skew_ms = -7_200_000
  await pass(1000)
  assert.equal(changes(), 1)
  assert.equal(wall.source(), 'manual')
  assert.equal(wall.now(), START - 7_199_000)
})

test('a clock that is slewed is no jump', async () => {
  const { state, started, pass } = machine()
  const { changes } = await started()
  for (let second = 0; second < 60; second += 1) {
    state.skew_ms += 500
    await pass(1000)
  }
  assert.equal(changes(), 0)
})

test('a trusted clock that falls back to 1970 is trusted no more, until it is set again', async () => {
  const { state, started, pass } = machine()
  state.rtc_s = state.chipSetTo = start_s
  const { wall } = await started()
  state.skew_ms = -START
  await pass(1000)
  assert.equal(wall.source(), 'none')
  state.skew_ms = 0
  await pass(1000)
  assert.equal(wall.source(), 'manual')
})

test('a clock that nobody has vouched for is not trusted because a system sets it as it starts', async () => {
  const { state, started, pass } = machine()
  const { wall } = await started()
  state.skew_ms = 7_200_000
  await pass(1000)
  assert.equal(wall.source(), 'none')
})

test('on a full disk the clock goes on, but a time set by hand is not promised', async () => {
  const { state, started, pass } = machine()
  Object.assign(state, { isDiskFull: true, rtc_s: start_s, chipSetTo: start_s })
  const { wall, changes } = await started()
  state.skew_ms = 3_600_000
  await pass(1000)
  assert.equal(changes(), 1)
  await assert.rejects(wall.set(start_s), /disk full/)
  assert.equal(changes(), 2)
  state.evidence = 'kernel'
  await pass(15_000)
  assert.equal(wall.source(), 'sntp')
})

test('the time the service keeps itself stands when the machine’s clock jumps', async () => {
  const { state, started, pass } = machine()
  state.maySet = false
  const { wall, changes } = await started()
  await wall.set(start_s + 999)
  state.skew_ms = 50_000_000
  await pass(1000)
  assert.equal(wall.now(), START + 1_000_000)
  assert.equal(changes(), 1)
})

test('waking from sleep is told, since timers stood still', async () => {
  const { state, started, pass } = machine()
  const { changes } = await started()
  state.slept_ms = 3_600_000
  state.skew_ms = 3_600_000
  await pass(1000)
  assert.equal(changes(), 1)
})

test('a time set by hand outlives a restart of the service', async () => {
  const { state, started, pass } = machine()
  state.maySet = false
  const first = await started()
  await first.wall.set(start_s + 999)
  first.wall.stop()
  await pass(10_000)
  const second = await started()
  assert.equal(second.wall.source(), 'manual')
  assert.equal(second.wall.now(), START + 1_009_000)
})

test('a time set by hand is not believed when the clock was set while the service was down', async () => {
  const { state, started } = machine()
  const first = await started()
  await first.wall.set(start_s + 999)
  first.wall.stop()
  state.skew_ms += 600_000
  assert.equal((await started()).wall.source(), 'none')
})

test('a jump under the service’s own time does not unsettle it over a restart', async () => {
  const { state, started, pass } = machine()
  state.maySet = false
  const first = await started()
  await first.wall.set(start_s + 999)
  state.skew_ms = 50_000_000
  await pass(1000)
  first.wall.stop()
  const { wall } = await started()
  assert.equal(wall.source(), 'manual')
  assert.equal(wall.now(), START + 1_000_000)
})

test('once the network has set the clock, it vouches over a restart without a network', async () => {
  const { state, started, pass } = machine()
  state.maySet = false
  const first = await started()
  await first.wall.set(start_s + 999)
  state.evidence = 'kernel'
  await pass(15_000)
  assert.equal(first.wall.source(), 'sntp')
  first.wall.stop()
  state.evidence = undefined
  const { wall } = await started()
  assert.equal(wall.source(), 'sntp')
  assert.equal(wall.now(), START + 15_000, 'and what was set by hand is forgotten')
})

test('a time set by hand does not outlive a power cut without a chip', async () => {
  const { started, powerCut } = machine()
  const first = await started()
  await first.wall.set(start_s + 999)
  powerCut()
  assert.equal((await started()).wall.source(), 'none')
})

test('with a chip the time set by hand comes back from it, and it says so', async () => {
  const { state, started, powerCut } = machine()
  state.hasRtc = true
  const first = await started()
  await first.wall.set(start_s + 999)
  powerCut()
  state.skew_ms = 0
  const { wall } = await started()
  assert.equal(wall.source(), 'rtc')
  assert.equal(wall.now(), START + 999_000)
})

test('PLAYER_CLOCK=host: whoever started the service vouches', async () => {
  const { state, started } = machine()
  state.vouchedFor = true
  assert.equal((await started()).wall.source(), 'manual')
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { VouchedTime } from '../ports/wall-clock.ts'
import { fakeTree } from '../testing/fake-tree.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { createMachineClock } from './machine-clock.ts'
import type { Outcome } from './run-command.ts'
import { openTree } from './sysfs/tree.ts'
import { openThisMachine } from './this-machine.ts'

async function open(t: TestContext, files: Record<string, string>, chipSetTo?: number) {
  const { root } = fakeTree(t, files)
  let kept: VouchedTime | undefined
  const machine = await openThisMachine({
    root,
    // No program is found, so nothing of the real machine is asked or touched.
    searchPath: root,
    trustHostClock: false,
    clock: createManualClock(),
    memory: {
      read: () => kept,
      save: (time) => {
        kept = time
      },
      chipSetTo: () => chipSetTo,
      saveChipSetTo: () => {},
    },
    log: { info: () => {}, warn: () => {} },
  })
  await machine.wall.start()
  t.after(() => machine.wall.stop())
  return { ...machine, kept: () => kept }
}

test('a board made of files: the service goes by its chip, the real clock stays as it is', async (t) => {
  const before = Date.now()
  const chip = { 'sys/class/rtc/rtc0/since_epoch': '1790000000' }
  const { wall } = await open(t, chip, 1_780_000_000)
  assert.equal(wall.source(), 'rtc')
  assert.equal(wall.now(), 1_790_000_000_000)
  const result = await wall.set(1_800_000_000)
  assert.deepEqual(result, { system_clock: false, rtc: false })
  assert.equal(wall.now(), 1_800_000_000_000)
  assert.ok(Math.abs(Date.now() - before) < 3_600_000)
})

test('a machine with nothing: no time, no battery, no network, and no error', async (t) => {
  const { board, wall, wifi } = await open(t, {})
  assert.equal(wall.source(), 'none')
  assert.equal((await board.battery()).present, false)
  assert.equal((await wifi.status()).connected, false)
})

function setter(t: TestContext, files: Record<string, string>, outcome: Partial<Outcome> = {}) {
  const commands: string[][] = []
  const set = createMachineClock(openTree(fakeTree(t, files).root), async (command, args) => {
    commands.push([command, ...args])
    return { code: 0, stdout: '', stderr: '', ...outcome }
  })
  return { set, commands }
}

test('the machine’s clock is set by date(1), in seconds since 1970', async (t) => {
  const { set, commands } = setter(t, {})
  await set(1_790_000_000)
  assert.deepEqual(commands, [['date', '--utc', '--set', '@1790000000']])
})

test('without the right to set it the reason is told', async (t) => {
  const { set } = setter(
    t,
    {},
    { code: 1, stderr: 'date: cannot set date: Operation not permitted\n' },
  )
  await assert.rejects(set(1), /Operation not permitted/)
})

test('a container leaves the clock of its host alone', async (t) => {
  const { set, commands } = setter(t, { 'run/.containerenv': '' })
  await assert.rejects(set(1), /container/)
  assert.deepEqual(commands, [])
})

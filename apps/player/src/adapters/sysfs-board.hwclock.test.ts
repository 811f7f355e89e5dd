import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeTree } from '../testing/fake-tree.ts'
import { createRunCommand } from './run-command.ts'
import { createSysfsBoard } from './sysfs-board.ts'

const SEARCH_PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const EPOCH_S = 1_790_000_000

test('the real hwclock takes the command that sets the chip, and reads its time as UTC', async (t) => {
  const { root } = fakeTree(t, { 'sys/class/rtc/rtc0/since_epoch': String(EPOCH_S) })
  const run = createRunCommand(SEARCH_PATH)
  const given: string[] = []
  const board = createSysfsBoard(root, (command, args) => {
    given.push(...args)
    // All but the last step; it goes as far as looking for the chip, which is not there.
    return run(command, ['--test', ...args])
  })
  await assert.rejects(
    board.writeRtc(EPOCH_S),
    /not set: hwclock: Cannot access the Hardware Clock/,
  )

  const date = given[given.indexOf('--date') + 1] ?? ''
  const predicted = await run('hwclock', ['--predict', '--utc', '--noadjfile', '--date', date])
  assert.equal(predicted.stderr, '')
  assert.equal(Date.parse(predicted.stdout.trim()), EPOCH_S * 1000)
})

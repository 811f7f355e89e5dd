import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { storedLog } from '../../testing/stored-log.ts'
import { batchOf, batchOfLines, joined } from './log-batch.ts'
import { logsIn } from './log-lines.ts'

const logs = [storedLog({ id: 'b', received_at: 7 }), storedLog({ id: 'a', received_at: 5 })]

test('a batch is the same as events and as lines', () => {
  const batch = batchOf(logs)
  const again = batchOfLines(batch.lines(), batch)
  assert.deepEqual(again.logs(), logs)
  assert.deepEqual([again.size, again.receivedAt], [2, 5])
})

test('events of lines are made once for all who look at the same time', async () => {
  const batch = batchOfLines(batchOf(logs).lines(), { size: 2, receivedAt: 5 })
  const first = batch.logs()
  assert.equal(batch.logs(), first)
  await turn()
  await turn()
  assert.notEqual(batch.logs(), first)
  assert.deepEqual(batch.logs(), logs)
})

test('several are one batch, as events and as lines', () => {
  const parts = [
    batchOf(logs),
    batchOfLines(batchOf(logs).lines(), { size: 2, receivedAt: 5 }),
    batchOf([storedLog()]),
  ]
  const one = joined(parts)
  assert.deepEqual([...logsIn(one.lines())], one.logs())
  assert.deepEqual([one.size, one.receivedAt, one.logs().length], [5, 5, 5])
  assert.deepEqual([joined([]).lines().length, joined([]).logs()], [0, []])
})

test('lines are there until the last who holds them has let go, who may do so twice', () => {
  const lines = batchOf(logs).lines()
  const batch = batchOfLines(lines, { size: 2, receivedAt: 5 })
  const [one, other] = [batch.hold(), joined([batch, batchOf(logs)]).hold()]
  one()
  one()
  assert.deepEqual(batch.logs(), logs)
  other()
  assert.equal(lines.length, 0, 'the memory is free')
  assert.throws(() => batch.lines(), /let go of/)
  assert.throws(() => batch.hold(), /let go of/)
})

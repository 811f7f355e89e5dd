import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { packLogs } from '../../adapters/duckdb-logs/pack-logs.ts'
import { packedBatch } from '../../testing/packed-batch.ts'
import { storedLog } from '../../testing/stored-log.ts'
import { batchOf, batchOfPacked, joined } from './log-batch.ts'
import { linesOf, logsIn } from './log-lines.ts'

const logs = [storedLog({ id: 'b', received_at: 7 }), storedLog({ id: 'a', received_at: 5 })]

test('a batch is the same as events, packed and as lines', () => {
  for (const batch of [batchOf(logs), packedBatch(logs)]) {
    assert.deepEqual(batch.logs(), logs)
    assert.deepEqual([...logsIn(batch.lines())], logs)
    assert.deepEqual([batch.size, batch.receivedAt], [2, 5])
  }
})

test('lines that were made already are not made again', () => {
  const lines = linesOf(logs)
  const { bytes } = packLogs(logs)
  const unpack = () => assert.fail('nobody has to look at each')
  const batch = batchOfPacked({ bytes, lines, unpack }, { size: 2, receivedAt: 5 })
  assert.equal(batch.lines(), lines)
  batch.hold()()
  assert.deepEqual([bytes.byteLength, lines.length], [0, 0], 'the memory is free')
})

test('events of a pack are made once for all who look at the same time', async () => {
  const batch = packedBatch(logs)
  const first = batch.logs()
  assert.equal(batch.logs(), first)
  await turn()
  await turn()
  assert.notEqual(batch.logs(), first)
  assert.deepEqual(batch.logs(), logs)
})

test('several are one batch, as events and as lines', () => {
  const parts = [batchOf(logs), packedBatch(logs), batchOf([storedLog()])]
  const one = joined(parts)
  assert.deepEqual([...logsIn(one.lines())], one.logs())
  assert.deepEqual([one.size, one.receivedAt, one.logs().length], [5, 5, 5])
  assert.deepEqual([joined([]).lines().length, joined([]).logs()], [0, []])
})

test('a pack is there until the last who holds it has let go, who may do so twice', () => {
  const packed = packLogs(logs)
  const batch = packedBatch(logs, { packed })
  const [one, other] = [batch.hold(), joined([batch, batchOf(logs)]).hold()]
  one()
  one()
  assert.deepEqual(batch.logs(), logs)
  other()
  assert.equal(packed.bytes.byteLength, 0, 'the memory is free')
  assert.throws(() => batch.lines(), /let go of/)
  assert.throws(() => batch.hold(), /let go of/)
})

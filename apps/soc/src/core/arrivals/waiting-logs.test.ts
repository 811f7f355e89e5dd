import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packedBatch } from '../../testing/packed-batch.ts'
import { storedLog } from '../../testing/stored-log.ts'
import { batchOf, type LogBatch } from './log-batch.ts'
import { createWaitingLogs, type Taken } from './waiting-logs.ts'

const logs = (...arrivals: number[]) =>
  batchOf(arrivals.map((received_at) => storedLog({ id: String(received_at), received_at })))
const large = (length: number) => storedLog({ message: 'a'.repeat(length), received_at: 1 })
const ids = ({ batch }: Taken) => batch.logs().map(({ id }) => id)

function isReadable(batch: LogBatch): boolean {
  try {
    return batch.lines().length > 0
  } catch {
    return false
  }
}

test('events leave in the order they came, across batches', () => {
  const waiting = createWaitingLogs({ most: 10, batch: 2 })
  waiting.offer(logs(1, 2, 3))
  waiting.offer(logs(4))
  waiting.offer(logs(5))
  assert.deepEqual(ids(waiting.take()), ['1', '2'])
  assert.equal(waiting.oldest(), 3)
  assert.deepEqual(ids(waiting.take()), ['3', '4'])
  assert.deepEqual(ids(waiting.take()), ['5'])
  assert.deepEqual(ids(waiting.take()), [])
  assert.equal(waiting.size, 0)
  assert.equal(waiting.oldest(), undefined)
})

test('what finds no room is not kept', () => {
  const waiting = createWaitingLogs({ most: 3, batch: 2 })
  assert.equal(waiting.offer(logs(5, 6)), true)
  assert.equal(waiting.offer(logs(9, 7)), false)
  assert.equal(waiting.size, 2)
})

test('of large events few are taken together, and only so much text waits', () => {
  const waiting = createWaitingLogs({ most: 1_000, batch: 100 })
  waiting.offer(batchOf([large(600_000), large(600_000), large(10)]))
  waiting.offer(batchOf([large(20)]))
  const taken = () =>
    waiting
      .take()
      .batch.logs()
      .map(({ message }) => message.length)
  assert.deepEqual(taken(), [600_000])
  assert.deepEqual(taken(), [600_000, 10, 20])

  const offered = Array.from({ length: 100 }, () => waiting.offer(batchOf([large(1_000_000)])))
  assert.ok(offered.filter((isKept) => isKept).length < 70)
  assert.equal(offered.at(-1), false, 'it is read from the store')
  waiting.clear()
  assert.equal(waiting.offer(batchOf([large(1_000_000)])), true)
})

test('lines that are few enough go on as they are', () => {
  const waiting = createWaitingLogs({ most: 10, batch: 2 })
  const batch = packedBatch(logs(1, 2).logs())
  waiting.offer(batch)
  waiting.offer(packedBatch(logs(3, 4, 5).logs()))
  assert.equal(waiting.take().batch, batch)
  assert.deepEqual([ids(waiting.take()), ids(waiting.take())], [['3', '4'], ['5']])
})

test('large events of which it is known what rules match leave as they came', () => {
  const waiting = createWaitingLogs({ most: 10, batch: 2 })
  const matched = { edition: 1, found: [], seen: {}, hits: {} }
  const parts = [1, 2].map(() => packedBatch([large(2 ** 20), large(10), large(10)], { matched }))
  for (const part of parts) waiting.offer(part)
  assert.deepEqual([waiting.take().batch, waiting.take().batch], parts)
})

test('memory is free when it was looked at, when it is cleared, and not before', () => {
  const waiting = createWaitingLogs({ most: 10, batch: 2 })
  const parts = [logs(1), logs(2), logs(3)].map((one) => packedBatch(one.logs()))
  for (const part of parts) waiting.offer(part)
  const isThere = () => parts.map(isReadable)
  const { letGo } = waiting.take()
  assert.deepEqual(isThere(), [true, true, true])
  letGo()
  assert.deepEqual(isThere(), [false, false, true])
  waiting.clear()
  assert.deepEqual(isThere(), [false, false, false])
})

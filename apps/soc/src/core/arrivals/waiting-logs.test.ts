import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../testing/stored-log.ts'
import { createWaitingLogs } from './waiting-logs.ts'

const logs = (...arrivals: number[]) =>
  arrivals.map((received_at) => storedLog({ id: String(received_at), received_at }))
const ids = (taken: { id: string }[]) => taken.map(({ id }) => id)

test('events leave in the order they came, across batches', () => {
  const waiting = createWaitingLogs(10)
  waiting.offer(logs(1, 2, 3))
  waiting.offer(logs(4, 5))
  assert.deepEqual(ids(waiting.take(2)), ['1', '2'])
  assert.equal(waiting.oldest(), 3)
  assert.deepEqual(ids(waiting.take(10)), ['3', '4', '5'])
  assert.equal(waiting.size, 0)
  assert.equal(waiting.oldest(), undefined)
})

test('what finds no room is not kept, and its oldest arrival is told', () => {
  const waiting = createWaitingLogs(3)
  assert.equal(waiting.offer(logs(5, 6)), undefined)
  assert.equal(waiting.offer(logs(9, 7)), 7)
  assert.equal(waiting.size, 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPieces, sizeOf } from './log-size.ts'

const MB = 2 ** 20
const most = { events: 3, characters: MB }
const event = (length: number, fields = {}) => ({ message: 'a'.repeat(length), fields })
const lengths = (of: number[]) =>
  [
    ...inPieces(
      of.map((length) => event(length)),
      most,
    ),
  ].map(({ logs }) => logs.map(({ message }) => message.length))

test('the texts of an event count wherever they are', () => {
  const plain = sizeOf(event(0))
  assert.ok(sizeOf(event(MB)) >= plain + MB)
  assert.ok(sizeOf(event(0, { a: 'b'.repeat(MB) })) >= plain + MB)
  assert.ok(sizeOf(event(0, { a: ['b'.repeat(MB), 1, null, 'c'.repeat(MB)] })) >= plain + 2 * MB)
  assert.ok(sizeOf({ ...event(0), original: 'b'.repeat(MB) }) >= plain + MB)
})

test('a piece has a bounded number of events and of characters, and none is lost', () => {
  assert.deepEqual(lengths([1, 2, 3, 4]), [[1, 2, 3], [4]])
  const half = MB / 2
  assert.deepEqual(lengths([half, half, 10, 3 * MB, 20]), [[half], [half, 10], [3 * MB], [20]])
  assert.deepEqual(lengths([]), [])
})

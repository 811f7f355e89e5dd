import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../testing/stored-log.ts'
import { createAnswerPieces } from './answer-pieces.ts'

const answer = (lengths: number[]) => ({
  logs: lengths.map((length) => storedLog({ message: 'a'.repeat(length) })),
  ...{ total: lengths.length, isTotalExact: true, partial: null },
})
const lengths = ({ logs }: { logs: { message: string }[] }) =>
  logs.map(({ message }) => message.length)

test('an answer of a few events goes over at once', () => {
  const { first } = createAnswerPieces()
  assert.partialDeepStrictEqual(first(1, answer([1, 2])), { total: 2, hasMore: false })
})

test('large events go over one piece after the other, each answer by itself', () => {
  const { first, next } = createAnswerPieces()
  const begun = [first(1, answer([900_000, 10, 800_000])), first(2, answer([900_001, 900_002]))]
  assert.deepEqual(begun.map(lengths), [[900_000, 10], [900_001]])
  const rest = [next(2), next(1)]
  assert.deepEqual(rest.map(lengths), [[900_002], [800_000]])
  assert.deepEqual(
    [...begun, ...rest].map(({ hasMore }) => hasMore),
    [true, true, false, false],
  )
})

test('of an answer that nobody reads on nothing is kept', () => {
  const { first, next, forget } = createAnswerPieces()
  assert.ok(first(1, answer([900_000, 900_001])).hasMore)
  forget(1)
  assert.deepEqual(next(1), { logs: [], hasMore: false })
})

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
  assert.partialDeepStrictEqual(first(answer([1, 2])), { total: 2, more: undefined })
})

test('large events go over one piece after the other, each answer by itself', () => {
  const { first, next } = createAnswerPieces()
  const [one, two] = [first(answer([900_000, 10, 800_000])), first(answer([900_001, 900_002]))]
  assert.deepEqual([lengths(one), lengths(two)], [[900_000, 10], [900_001]])
  const rest = [next(two.more ?? 0), next(one.more ?? 0)]
  assert.deepEqual(rest.map(lengths), [[900_002], [800_000]])
  assert.deepEqual(
    rest.map(({ more }) => more),
    [undefined, undefined],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnIn, markedQuery } from './marked-query.ts'

const wrongIn = (text: string, column: number) =>
  markedQuery(text, column).find(({ isWrong }) => isWrong)?.text

test('pieces are the whole text, each with what it is', () => {
  const text = 'host:web-1 AND (user:root OR "failed password")  NOT 4625'
  const pieces = markedQuery(text)
  assert.equal(pieces.map((piece) => piece.text).join(''), text)
  const marked = (mark: string) =>
    pieces.filter((piece) => piece.mark === mark).map((piece) => piece.text)
  assert.deepEqual(marked('field'), ['host:', 'user:'])
  assert.deepEqual(marked('operator'), ['AND', 'OR', 'NOT'])
  assert.deepEqual(marked('quoted'), ['"failed password"'])
})

for (const [text, column, wrong] of [
  ['host:web AND', 13, 'AND'],
  ['a and b', 3, 'and'],
  ['host:web (a', 10, '('],
  ['"open', 1, '"open'],
  ['host:', 6, 'host:'],
  ['x:[1 9]', 6, '9]'],
  ['OR host:web', 1, 'OR'],
] as const) {
  test(`${text}: what is at column ${column} is marked`, () =>
    assert.equal(wrongIn(text, column), wrong))
}

test('the column is read out of the words', () => {
  assert.equal(columnIn('q: a term is missing at column 13; write one'), 13)
  assert.equal(columnIn('from: must be a time'), undefined)
  assert.equal(columnIn(undefined), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PinBody, rangeProblem, VERSE_SOURCES, VersesQuery, verseCount } from './verses.ts'

test('a range of verses that the surah does not have is refused by its field', () => {
  assert.equal(rangeProblem(67, { from: 1, to: 30 }), undefined)
  assert.deepEqual(rangeProblem(67, { from: 1, to: 31 }), {
    field: 'to',
    message: 'surah 67 has 30 verses',
  })
  assert.deepEqual(rangeProblem(67, { from: 5, to: 4 }), {
    field: 'from',
    message: 'must not come after to',
  })
  // A recording that is counted another way has verses of its own.
  assert.equal(rangeProblem(67, { from: 31, to: 31 }, 31), undefined)
})

test('verses are counted the Kufan way', () => {
  assert.deepEqual([1, 2, 67, 114, 115].map(verseCount), [7, 286, 30, 6, 0])
})

test('the surah of a question is a number from 1 to 114, written plainly', () => {
  const isRead = (surah: string) => VersesQuery.safeParse({ reciter: 'a', surah }).success
  assert.deepEqual(['1', '67', '114'].map(isRead), [true, true, true])
  assert.deepEqual(['0', '115', '01', '1e1', ' 7', ''].map(isRead), Array(6).fill(false))
})

test('a mark needs all four of its fields', () => {
  const mark = { reciter: 'a', surah: 67, verse: 2, start: 0 }
  assert.ok(PinBody.safeParse(mark).success)
  for (const field of Object.keys(mark)) {
    assert.ok(!PinBody.safeParse({ ...mark, [field]: undefined }).success, field)
  }
  assert.equal(VERSE_SOURCES.at(-1), 'none')
})

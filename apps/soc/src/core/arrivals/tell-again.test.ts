import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTellAgain } from './tell-again.ts'

test('a name is news once in a while, and each by itself', () => {
  let now = 0
  const isNews = createTellAgain(100, () => now)
  assert.deepEqual(
    ['a', 'a', 'b', 'b'].map((name) => isNews(name)),
    [true, false, true, false],
  )
  now = 99
  assert.equal(isNews('a'), false)
  now = 100
  assert.deepEqual([isNews('a'), isNews('a')], [true, false])
})

test('more names than it keeps are told again rather than never', () => {
  const isNews = createTellAgain(100, () => 0)
  for (let n = 0; n < 60_000; n += 1) assert.ok(isNews(`name ${n}`))
  assert.ok(isNews('name 0'))
})

test('after a clock that was ahead is set right names are told again', () => {
  let now = 1_000
  const isNews = createTellAgain(100, () => now)
  isNews('a')
  now = 0
  assert.deepEqual([isNews('a'), isNews('a')], [true, false])
})

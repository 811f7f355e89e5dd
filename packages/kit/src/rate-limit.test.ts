import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from './rate-limit.ts'

function setup() {
  let time = 0
  const limiter = createRateLimiter(
    { few: { limit: 2, windowMs: 10_000 }, many: { limit: 5, windowMs: 1_000 } },
    () => time,
  )
  return { limiter, pass: (ms: number) => (time += ms) }
}

test('a class lets its limit through in a window, then says when to come back', () => {
  const { limiter, pass } = setup()
  assert.deepEqual(limiter.take('few', 'a'), { allowed: true, remaining: 1 })
  assert.deepEqual(limiter.take('few', 'a'), { allowed: true, remaining: 0 })
  pass(7_500)
  assert.deepEqual(limiter.take('few', 'a'), { allowed: false, retryAfterS: 3 })
  pass(2_499)
  assert.equal(limiter.take('few', 'a').allowed, false)
  pass(1)
  assert.equal(limiter.take('few', 'a').allowed, true)
})

test('clients and classes have budgets of their own', () => {
  const { limiter } = setup()
  limiter.take('few', 'a')
  limiter.take('few', 'a')
  assert.equal(limiter.take('few', 'a').allowed, false)
  assert.equal(limiter.take('few', 'b').allowed, true)
  assert.equal(limiter.take('many', 'a').allowed, true)
})

test('a refused request does not lengthen the wait', () => {
  const { limiter, pass } = setup()
  for (let n = 0; n < 50; n += 1) limiter.take('few', 'a')
  pass(10_000)
  assert.equal(limiter.take('few', 'a').allowed, true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBudget } from './budget.ts'

test('who has sent a minute of events waits for the next one, alone', () => {
  let now = 0
  const budget = createBudget(100, () => now)
  budget.check('a')
  budget.spend('a', 150)
  now = 10_000
  assert.throws(() => budget.check('a'), { status: 429, retryAfter: 50 })
  budget.check('b')
  now = 60_000
  budget.check('a')
})

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

test('senders with ever new addresses take neither the time nor the memory', () => {
  const budget = createBudget(1, () => 0)
  for (const sender of ['first', 'second']) budget.spend(sender, 1)
  for (let count = 0; count < 99_999; count += 1) budget.check(`10.${count}`)
  assert.throws(() => budget.check('second'), { status: 429 })
  budget.check('first')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plan } from '@manara/player-contract/learners'
import { clashes, joinedPlan } from './joined-plan.ts'

const BEFORE: Plan = {
  order: 'backward',
  start: { surah: 114, verse: 1 },
  unit: 'verse',
  amount: 3,
  days: 0b001_1111,
  recent_days: 7,
  cycle_days: 30,
  reciter: 'Husary',
  drill: { method: 'each', repeat: 5, gap_percent: 100 },
}

test('two who edit one plan: what each has changed stays', () => {
  const now: Plan = { ...BEFORE, days: 127, drill: { ...BEFORE.drill, repeat: 9 } }
  const after: Plan = { ...BEFORE, reciter: 'Alafasy', drill: { ...BEFORE.drill, unsure: true } }
  assert.deepEqual(joinedPlan(BEFORE, after, now), {
    ...now,
    reciter: 'Alafasy',
    drill: { ...now.drill, unsure: true },
  })
  assert.deepEqual(joinedPlan(BEFORE, BEFORE, now), now)
})

test('an amount is of its unit', () => {
  const now: Plan = { ...BEFORE, unit: 'page', amount: 0.5 }
  const { unit, amount } = joinedPlan(BEFORE, { ...BEFORE, amount: 5 }, now)
  assert.deepEqual([unit, amount], ['verse', 5])
  assert.equal(joinedPlan(BEFORE, { ...BEFORE, days: 1 }, now).amount, 0.5)
})

test('what both have changed, each to something else, is told; what is the same by now is not', () => {
  const mine: Plan = { ...BEFORE, amount: 5, days: 1, drill: { ...BEFORE.drill, repeat: 9 } }
  const theirs: Plan = { ...BEFORE, unit: 'page', amount: 0.5, days: 1, recent_days: 9 }
  assert.deepEqual(clashes(BEFORE, mine, theirs), ['amount'])
  assert.deepEqual(clashes(BEFORE, mine, BEFORE), [])
  assert.deepEqual(clashes(BEFORE, BEFORE, theirs), [])
  // Nobody had planned: all that is seen was meant.
  assert.deepEqual(clashes(null, mine, theirs), ['amount', 'recentDays', 'repeat'])
  assert.deepEqual(clashes(BEFORE, joinedPlan(BEFORE, theirs, mine), theirs), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LearnerToday, Plan } from '@manara/player-contract/learners'
import { Refused } from './api.ts'
import { savePlan } from './save-plan.ts'

const BEFORE: Plan = {
  order: 'backward',
  start: { surah: 114, verse: 1 },
  unit: 'verse',
  amount: 3,
  days: 127,
  recent_days: 7,
  cycle_days: 30,
  reciter: 'Husary',
  drill: { repeat: 5 },
}

/** A box whose plan is the next of these as soon as the one before it would be replaced. */
function boxWith(...plans: (Plan | null)[]) {
  let plan: Plan | null = null
  const asked: object[] = []
  const deps = {
    learners: {
      load: async () => {
        plan = plans[0] ?? null
      },
      find: (id: number | undefined) => ({ id, plan }) as LearnerToday,
    },
    api: {
      put: async <Reply>(_: string, body: object) => {
        asked.push(body)
        if (plans.length === 1) return {} as Reply
        plans.shift()
        throw new Refused(409, 'somebody else has changed this plan')
      },
    },
  }
  return { deps, asked }
}

const mine: Plan = { ...BEFORE, amount: 5 }
const edited = { learner: 1, before: BEFORE, mine }

test('what another one changed meanwhile stays, also in the moment of saving', async () => {
  const theirs = { ...BEFORE, cycle_days: 45 }
  const { deps, asked } = boxWith(BEFORE, theirs)
  assert.equal(await savePlan(deps, edited), null)
  assert.deepEqual(asked, [
    { ...mine, replaces: BEFORE },
    { ...mine, cycle_days: 45, replaces: theirs },
  ])
})

test('what would overwrite another one is told first, with both', async () => {
  const theirs = { ...BEFORE, amount: 7, days: 1 }
  const { deps, asked } = boxWith(theirs)
  const edits = { ...mine, cycle_days: 45 }
  const told = await savePlan(deps, { ...edited, mine: edits })
  assert.deepEqual(told, {
    theirs,
    parts: ['amount'],
    withMine: { ...edits, days: 1 },
    withTheirs: { ...theirs, cycle_days: 45 },
  })
  assert.deepEqual(asked, [])
  // Who knows of it may go back to what was there before.
  const back = { ...theirs, amount: BEFORE.amount }
  assert.equal(await savePlan(deps, { ...edited, before: theirs, mine: back }), null)
  assert.deepEqual(asked, [{ ...back, replaces: theirs }])
})

test('a plan that somebody made where there was none is told too', async () => {
  const theirs = { ...BEFORE, days: 1 }
  const { deps } = boxWith(theirs)
  const told = await savePlan(deps, { ...edited, before: null })
  assert.deepEqual(told?.parts, ['amount', 'days'])
})

test('where others save all the time, the refusal is told in the end', async () => {
  const { deps, asked } = boxWith(BEFORE, BEFORE, BEFORE, BEFORE, BEFORE)
  await assert.rejects(savePlan(deps, edited), Refused)
  assert.equal(asked.length, 3)
})

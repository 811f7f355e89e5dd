import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { GradeBody, Plan } from '@manara/player-contract/learners'
import { MIGRATIONS } from '../../db/migrations.ts'
import { storeInMemory } from '../../db/open-store.ts'
import { createLearnerStore } from './learners.store.ts'

const plan = (amount: number): Plan => ({
  ...{ order: 'backward', start: { surah: 114, verse: 1 }, unit: 'verse', amount, days: 127 },
  ...{ recent_days: 7, cycle_days: 30, reciter: 'Husary', drill: { repeat: 5 } },
})

function learnerIn(t: TestContext) {
  const db = storeInMemory(MIGRATIONS.length)
  t.after(() => db.close())
  const store = createLearnerStore(db, { now: () => 0, monotonic: () => 0 })
  return { store, id: store.add('Amina').id }
}

test('of two teachers who save a plan at once the later one is told, and the first plan stays', (t) => {
  const { store, id } = learnerIn(t)
  store.setPlan(id, plan(3), null)
  assert.throws(() => store.setPlan(id, plan(9), null), /changed this plan meanwhile/)
  store.setPlan(id, plan(4), plan(3))
  assert.throws(() => store.setPlan(id, plan(5), plan(3)), /changed this plan meanwhile/)
  assert.deepEqual(store.get(id).plan, plan(4))
  // Its answer was lost: it is in force.
  assert.deepEqual(store.setPlan(id, plan(4), plan(3)).plan, plan(4))
  assert.deepEqual(store.setPlan(id, plan(6)).plan, plan(6), 'without it the last one wins')
})

test('a grade that is sent again counts once, and two of them without a request twice', (t) => {
  const { store, id } = learnerIn(t)
  const body: GradeBody = { surah: 114, from: 1, to: 3, grade: 'good', by: 'teacher' }
  const day = (date: string) => ({ date, planned: undefined })
  const sent = { ...body, request: 'a1b2c3d4' }
  store.grade(id, sent, day('2026-03-01'))
  store.grade(id, { ...body, grade: 'again', request: 'e5f6a7b8' }, day('2026-03-02'))
  const before = [store.portions(id), store.days(id)]
  store.grade(id, sent, day('2026-03-03'))
  assert.deepEqual([store.portions(id), store.days(id)], before)
  assert.equal(store.gradings(id).length, 2)
  const other = store.add('Bilal').id
  store.grade(other, sent, day('2026-03-03'))
  store.grade(other, body, day('2026-03-03'))
  store.grade(other, body, day('2026-03-03'))
  assert.equal(store.gradings(other).length, 3)
})

test('a name is the same one in capitals of any script and however its letters are spelled', (t) => {
  const { store, id } = learnerIn(t)
  store.add('Éric'.normalize('NFC'))
  store.add('أمينة'.normalize('NFC'))
  for (const name of ['ÉRIC', 'éric'.normalize('NFD'), 'أمينة'.normalize('NFD'), 'AMINA']) {
    assert.throws(() => store.add(name), /another learner has this name/)
  }
  assert.equal(store.rename(id, 'AMINA').name, 'AMINA', 'its own is free')
  assert.throws(() => store.rename(id, 'éric'), /another learner/)
})

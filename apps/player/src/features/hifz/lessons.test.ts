import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GradeBody, PlanBody } from '@manara/player-contract/learners'
import { MIGRATIONS } from '../../db/migrations.ts'
import { storeInMemory } from '../../db/open-store.ts'
import { createLearnerStore } from './learners.store.ts'
import { createLessons } from './lessons.ts'

const plan: PlanBody = {
  ...{ order: 'backward', start: { surah: 114, verse: 1 }, unit: 'verse', amount: 3, days: 127 },
  reciter: 'Husary',
}
const good: GradeBody = { surah: 114, from: 1, to: 3, grade: 'good', by: 'teacher' }

test('a list of learners works out only what has changed since the last one', async (t) => {
  const db = storeInMemory(MIGRATIONS.length)
  t.after(() => db.close())
  let date = '2026-03-01'
  let read: number[] = []
  const store = createLearnerStore(db, { now: () => 0, monotonic: () => 0 })
  const lessons = createLessons({
    ...{ date: () => date, prepare() {}, onChange() {}, log: { warn() {} } },
    playVerses: async () => {},
    store: {
      ...store,
      newPlayedOn(id) {
        read.push(id)
        return store.newPlayedOn(id)
      },
    },
  })
  const ids = ['Amina', 'Bilal', 'Zaynab'].map((name) => store.add(name).id)
  const [first = 0, second = 0, third = 0] = ids
  for (const id of ids) lessons.setPlan(id, plan)
  const listed = () => {
    read = []
    return lessons.all().map(({ today }) => today?.new)
  }
  const amount = () => listed().map((due) => (due ? due.to - due.from + 1 : 0))

  assert.deepEqual([listed().length, read], [3, ids])
  assert.deepEqual([listed().length, read], [3, []])
  lessons.grade(second, good)
  assert.deepEqual([listed().map((due) => due?.done), read], [[false, true, false], [second]])
  await lessons.playNext(third)
  assert.equal(listed()[2]?.heard, true)
  lessons.setPlan(first, { ...plan, amount: 1 })
  assert.deepEqual([amount(), read], [[1, 3, 3], [first]])
  date = '2026-03-02'
  assert.deepEqual([listed().map((due) => due?.from), read], [[1, 4, 1], ids])
})

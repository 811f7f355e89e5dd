import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPower } from './testing/power-cuts.ts'

test('12 kill -9 at random points of an update leave a box that starts and whose state is whole', () => {
  const cuts = cutPower(12, 20260101)
  assert.equal(cuts.length, 12)
  for (const cut of cuts) assert.deepEqual(cut.problems, [], JSON.stringify(cut))
  assert.ok(new Set(cuts.map(({ during }) => during)).size >= 3, 'they hit different steps')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL, isSelected, NONE, only, sizeOf, toggled } from './selection.ts'

test('a selection is ids, or everything but some', () => {
  const two = toggled(toggled(NONE, 'a'), 'b')
  assert.deepEqual([sizeOf(two, 100), isSelected(two, 'a'), isSelected(two, 'c')], [2, true, false])
  assert.equal(sizeOf(toggled(two, 'a'), 100), 1)
  assert.deepEqual([only('a'), only(undefined)], [toggled(NONE, 'a'), NONE])
  const allBut = toggled(ALL, 'a')
  assert.deepEqual(
    [sizeOf(allBut, 100), isSelected(allBut, 'a'), isSelected(allBut, 'c')],
    [99, false, true],
  )
  assert.equal(sizeOf(toggled(allBut, 'a'), 100), 100)
})

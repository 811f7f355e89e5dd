import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHourlyCap } from './hourly-cap.ts'

const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR

test('so many an hour of each, told once that there was no more room', () => {
  let now = 0
  const cap = createHourlyCap(2, () => now)
  cap.add('rule', 2)
  assert.deepEqual([cap.room('rule'), cap.room('other')], [0, 2])
  assert.deepEqual([cap.isNews('rule'), cap.isNews('rule')], [true, false])
  now = HOUR
  assert.deepEqual([cap.room('rule'), cap.isNews('rule')], [2, true])
})

test('after a clock that was ahead is set right there is room again', () => {
  let now = YEAR
  const cap = createHourlyCap(2, () => now)
  cap.add('rule', 2)
  now = 0
  assert.equal(cap.room('rule'), 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHurry } from './hurry.ts'

test('a hundred changes in a second are a hurry, until a second went by without them', () => {
  let at = 5_000
  const hurry = createHurry(() => at)
  for (let count = 0; count < 99; count += 1) hurry.note()
  assert.equal(hurry.isHigh(), false)
  hurry.note()
  assert.equal(hurry.isHigh(), true)
  at = 6_500
  assert.equal(hurry.isHigh(), true, 'the second before counts while this one is young')
  at = 7_000
  assert.equal(hurry.isHigh(), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.ts'

test('somebody is busy while more than half of what a minute has was asked', () => {
  let now = 0
  const pace = createPace(() => now)
  for (let n = 0; n < 50; n += 1) pace.count()
  assert.equal(pace.isBusy(), false)
  now = 30_000
  pace.count()
  assert.equal(pace.isBusy(), true)
  now = 60_000
  assert.equal(pace.isBusy(), false)
})

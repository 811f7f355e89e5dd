import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentIds } from './recent-ids.ts'

const NOW = Date.UTC(2026, 2, 15)
const DAY = 86_400_000

test('an id is known for a day', () => {
  const ids = createRecentIds()
  ids.add('a', NOW)
  assert.ok(ids.has('a', NOW))
  assert.ok(ids.has('a', NOW + DAY - 1_000))
  assert.ok(!ids.has('a', NOW + DAY + 1_000))
  assert.ok(!ids.has('b', NOW))
  ids.add('a', NOW + 2 * DAY)
  assert.ok(ids.has('a', NOW + 2 * DAY + 1_000))
})

test('many tables hold as many ids, and those of yesterday go', () => {
  const ids = createRecentIds({ tableIds: 1_000 })
  const name = (number: number) => `id-${number}`
  for (let number = 0; number < 10_000; number++) ids.add(name(number), NOW)
  const known = Array.from({ length: 20_000 }, (_, number) => ids.has(name(number), NOW))
  assert.ok(known.slice(0, 10_000).every(Boolean))
  assert.ok(!known.slice(10_000).some(Boolean))
  for (let number = 20_000; number < 42_000; number++) ids.add(name(number), NOW + 2 * DAY)
  assert.ok(!ids.has(name(0), NOW), 'its table was dropped')
  const later = Array.from({ length: 44_000 }, (_, number) => ids.has(name(number), NOW + 2 * DAY))
  assert.deepEqual(later.lastIndexOf(false, 41_999), 19_999)
  assert.ok(!later.slice(42_000).some(Boolean))
})

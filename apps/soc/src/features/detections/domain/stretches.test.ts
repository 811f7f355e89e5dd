import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clustersOf, withStretch } from './stretches.ts'

test('near stretches are one, a far one stays apart', () => {
  let stretches = withStretch([], { first: 1_000, last: 1_100 }, 50)
  stretches = withStretch(stretches, { first: 5, last: 5 }, 50)
  stretches = withStretch(stretches, { first: 1_200, last: 1_200 }, 50)
  stretches = withStretch(stretches, { first: 1_140, last: 1_160 }, 50)
  assert.deepEqual(stretches, [
    { first: 5, last: 5 },
    { first: 1_000, last: 1_200 },
  ])
})

test('what lies near each other is scanned together', () => {
  const [old, a, b] = [
    { from: 0, to: 10 },
    { from: 100, to: 300 },
    { from: 310, to: 320 },
  ] as const
  assert.deepEqual(clustersOf([b, old, a], 20), [[old], [a, b]])
})

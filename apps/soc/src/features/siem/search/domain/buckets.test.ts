import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketStarts, chooseBuckets } from './buckets.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 2, 1, 12, 34)

const CHOSEN: [
  name: string,
  asked: Parameters<typeof chooseBuckets>[0],
  hours: number,
  count: number,
][] = [
  ['the last day', {}, 0.5, 49],
  ['an hour', { from: NOW - HOUR, to: NOW }, 1 / 60, 60],
  ['a week', { from: NOW - 168 * HOUR }, 3, 57],
  ['ten years', { from: NOW - 87_600 * HOUR }, 37 * 24, 100],
  ['a size that was asked for', { from: NOW - 2 * HOUR, bucketMs: HOUR }, 1, 3],
  ['nothing at all', { from: NOW, to: NOW }, 1 / 3600, 0],
]

for (const [name, asked, hours, count] of CHOSEN) {
  test(`buckets for ${name}`, () => {
    const chosen = chooseBuckets(asked, NOW)
    assert.equal(chosen.bucketMs, hours * HOUR)
    assert.equal(bucketStarts(chosen).length, count)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketStarts, chooseBuckets } from './buckets.ts'

const HOUR = 3_600_000
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z')
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
  ['all that can be', { from: YEAR_1, to: Date.UTC(9999, 11, 31) }, 36_890 * 24, 100],
  ['a hundred seconds from amid one', { from: NOW + 500, to: NOW + 100_500 }, 5 / 3600, 21],
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

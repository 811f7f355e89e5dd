import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hoursOf } from './hours-of-segments.ts'
import { createRollupKeys, HOUR_MS, type Rollup, sumUp } from './rollup.ts'
import { emptySegment, type Segment } from './segments.ts'

const MINUTE_MS = 60_000
const PARTITION = { name: '2026-03-15-001', alias: 'p', dayStart: 0 }

const keys = createRollupKeys()
const severities = ['info', 'high'].map((severity) => keys.numberOf('sshd', severity))

const anyEntry = fc.record({
  at: fc.integer({ min: -300, max: 300 }).map((minute) => minute * MINUTE_MS),
  key: fc.constantFrom(...severities),
  count: fc.integer({ min: 1, max: 9 }),
})

function segmentOf(seg: number, entries: Parameters<typeof sumUp>[0]): Segment {
  const rollup = sumUp(entries)
  return { ...emptySegment(seg, PARTITION), rollups: rollup && [rollup] }
}

/** What they count, by hour and key. */
function totals(rollups: readonly Rollup[]) {
  const counts = new Map<string, number>()
  for (const { starts, keys, counts: each } of rollups) {
    for (const [at, count] of each.entries()) {
      const name = `${Math.floor((starts[at] ?? 0) / HOUR_MS)} ${keys[at]}`
      counts.set(name, (counts.get(name) ?? 0) + count)
    }
  }
  return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const each = (segments: Segment[]) => totals(segments.flatMap(({ rollups }) => rollups ?? []))

test('counts by hour of many segments are those of each, also when some get others', () => {
  fc.assert(
    fc.property(
      fc.nat(100),
      fc.array(fc.array(anyEntry, { maxLength: 5 }), { minLength: 130, maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(199), fc.array(anyEntry, { maxLength: 5 })), { maxLength: 5 }),
      (first, all, changes) => {
        const segments = all.map((entries, at) => segmentOf(first + at, entries))
        assert.deepEqual(totals(hoursOf(segments)), each(segments))
        for (const [at, entries] of changes) {
          const place = at % segments.length
          segments[place] = segmentOf(first + place, entries)
          assert.deepEqual(totals(hoursOf(segments)), each(segments))
        }
        segments.splice(40, 1)
        assert.deepEqual(totals(hoursOf(segments)), each(segments))
      },
    ),
  )
})

test('a full stretch is added up once', () => {
  const entries = [{ at: 0, key: severities[0] ?? 0, count: 1 }]
  const segments = Array.from({ length: 64 }, (_, seg) => segmentOf(seg, entries))
  const [once, ...others] = hoursOf(segments)
  assert.deepEqual([...(once?.counts ?? [])], [64])
  assert.equal(others.length, 0)
  assert.equal(hoursOf(segments)[0], once)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Hours, hoursOf } from './hours-of-partition.ts'
import { createRollupKeys, HOUR_MS, sumUp } from './rollup.ts'
import { emptySegment, type Segment } from './segments.ts'

const MINUTE_MS = 60_000

const keys = createRollupKeys()
const severities = ['info', 'high'].map((severity) => keys.numberOf('sshd', severity))

const anyEntry = fc.record({
  at: fc.integer({ min: -300, max: 300 }).map((minute) => minute * MINUTE_MS),
  key: fc.constantFrom(...severities),
  count: fc.integer({ min: 1, max: 9 }),
})

type Entries = Parameters<typeof sumUp>[0]

const partition = () => ({ name: '2026-03-15-001', alias: 'p', dayStart: 0 })

function segmentOf(seg: number, own: Segment['partition'], entries: Entries): Segment {
  const rollup = sumUp(entries)
  return { ...emptySegment(seg, own, seg), rollups: rollup && [rollup] }
}

const inOrder = (counts: Map<string, number>) =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))

const told = (hours: Hours) =>
  inOrder(
    new Map([...hours].flatMap(([at, byKey]) => [...byKey].map(([key, n]) => [`${at} ${key}`, n]))),
  )

/** The same, entry by entry. */
function counted(segments: Segment[]) {
  const counts = new Map<string, number>()
  for (const { starts, keys, counts: each } of segments.flatMap(({ rollups }) => rollups ?? [])) {
    for (const [at, count] of each.entries()) {
      const name = `${Math.floor((starts[at] ?? 0) / HOUR_MS) * HOUR_MS} ${keys[at]}`
      counts.set(name, (counts.get(name) ?? 0) + count)
    }
  }
  return inOrder(counts)
}

const CHANGES = ['add', 'replace', 'remove', 'none'] as const

test('hours of a partition are those of its segments, whatever becomes of these', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyEntry, { maxLength: 5 }), { maxLength: 9 }),
      fc.array(
        fc.tuple(fc.constantFrom(...CHANGES), fc.nat(8), fc.array(anyEntry, { maxLength: 5 })),
        { maxLength: 9 },
      ),
      (all, changes) => {
        const own = partition()
        let segments = all.map((entries, seg) => segmentOf(seg, own, entries))
        assert.deepEqual(told(hoursOf(own, segments)), counted(segments))
        for (const [change, at, entries] of changes) {
          const other = segmentOf(at, own, entries)
          if (change === 'add') segments = [...segments, other]
          if (change === 'replace') segments = segments.map((one, i) => (i === at ? other : one))
          if (change === 'remove') segments = segments.filter((_, i) => i !== at)
          assert.deepEqual(told(hoursOf(own, segments)), counted(segments))
        }
      },
    ),
  )
})

test('segments that follow are added to what is known', () => {
  const own = partition()
  const [key = 0] = severities
  const [first, second] = [1, 2].map((count, seg) =>
    segmentOf(seg, own, [{ at: 30 * MINUTE_MS, key, count }]),
  ) as [Segment, Segment]
  const once = hoursOf(own, [first])
  assert.deepEqual(told(once), [[`0 ${key}`, 1]])
  assert.equal(hoursOf(own, [first, second]), once)
  assert.deepEqual(told(once), [[`0 ${key}`, 3]])
})

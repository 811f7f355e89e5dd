import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptySegment, runsOf } from './segments.ts'

const PARTITION = { name: '2026-11-15-001', alias: 'p2026_11_15_001', dayStart: 0 }

test('numbers that another file took between two neighbours do not part them, a segment that is left out does', () => {
  const segments = [4, 5, 9, 10, 14].map((seg, place) => emptySegment(seg, PARTITION, place))
  const numbers = (runs: ReturnType<typeof runsOf>) => runs.map((run) => run.map(({ seg }) => seg))
  assert.deepEqual(numbers(runsOf(segments)), [[4, 5, 9, 10, 14]])
  assert.deepEqual(numbers(runsOf(segments.filter(({ seg }) => seg !== 9))), [
    [4, 5],
    [10, 14],
  ])
  assert.deepEqual(numbers(runsOf(segments, 2)), [[4, 5], [9, 10], [14]])
})

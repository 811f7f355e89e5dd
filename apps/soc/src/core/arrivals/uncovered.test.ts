import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uncovered } from './uncovered.ts'

const CASES: [others: [number, number][], left: [number, number][]][] = [
  [[], [[10, 20]]],
  [[[0, 10]], [[10, 20]]],
  [[[20, 30]], [[10, 20]]],
  [[[0, 30]], []],
  [[[10, 20]], []],
  [[[0, 12]], [[12, 20]]],
  [[[18, 30]], [[10, 18]]],
  [
    [
      [16, 18],
      [12, 14],
    ],
    [
      [10, 12],
      [14, 16],
      [18, 20],
    ],
  ],
  [
    [
      [10, 15],
      [13, 17],
    ],
    [[17, 20]],
  ],
]

test('what of a stretch others do not hold', () => {
  const stretch = ([from, to]: [number, number]) => ({ from, to })
  for (const [others, left] of CASES) {
    assert.deepEqual(uncovered({ from: 10, to: 20 }, others.map(stretch)), left.map(stretch))
  }
})

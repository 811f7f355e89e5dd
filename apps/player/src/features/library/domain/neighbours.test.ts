import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAvailable, previousAvailable } from './neighbours.ts'

const only = (...numbers: number[]) =>
  Array.from({ length: 114 }, (_, index) => numbers.includes(index + 1))

const NEXT = [
  { have: [1, 2, 3], from: 1, next: 2 },
  { have: [1, 36, 114], from: 1, next: 36 },
  { have: [1, 36, 114], from: 36, next: 114 },
  { have: [1, 36, 114], from: 114, next: undefined },
  { have: [5], from: 5, next: undefined },
  { have: [1], from: 0, next: 1 },
  { have: [], from: 1, next: undefined },
]

for (const { have, from, next } of NEXT) {
  test(`with ${have.join(', ') || 'nothing'} the next after ${from} is ${next}`, () =>
    assert.equal(nextAvailable(only(...have), from), next))
}

const PREVIOUS = [
  { have: [1, 2, 3], from: 3, previous: 2 },
  { have: [1, 36, 114], from: 114, previous: 36 },
  { have: [1, 36, 114], from: 1, previous: undefined },
  { have: [1, 114], from: 2, previous: 1 },
  { have: [114], from: 0, previous: undefined },
  { have: [5], from: 5, previous: undefined },
  { have: [], from: 114, previous: undefined },
]

for (const { have, from, previous } of PREVIOUS) {
  test(`with ${have.join(', ') || 'nothing'} the one before ${from} is ${previous}`, () =>
    assert.equal(previousAvailable(only(...have), from), previous))
}

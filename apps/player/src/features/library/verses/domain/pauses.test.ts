import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soundSpans } from './pauses.ts'

const LOUD = 18
const QUIET = 70

/** Steps of 20 ms from pairs of a level and how many there are of it. */
const levels = (...parts: [level: number, steps: number][]) => ({
  step_ms: 20,
  below: Uint8Array.from(parts.flatMap(([level, steps]) => Array(steps).fill(level))),
})

test('sound between pauses of 300 ms and more is a span', () => {
  const heard = levels([QUIET, 20], [LOUD, 50], [QUIET, 15], [LOUD, 100], [QUIET, 30])
  assert.deepEqual(soundSpans(heard), [
    [400, 1_400],
    [1_700, 3_700],
  ])
})

test('a shorter pause is part of the sound, and a click is none', () => {
  const heard = levels([LOUD, 50], [QUIET, 14], [LOUD, 50], [QUIET, 40], [LOUD, 3], [QUIET, 40])
  assert.deepEqual(soundSpans(heard), [[0, 2_280]])
})

test('sound that lasts to the end of the file ends there', () => {
  assert.deepEqual(soundSpans(levels([QUIET, 50], [LOUD, 50])), [[1_000, 2_000]])
})

test('a noisy room counts as a pause, for it is far below the voice', () => {
  const heard = levels([42, 30], [LOUD, 200], [41, 30], [LOUD, 200], [40, 30])
  assert.deepEqual(soundSpans(heard).length, 2)
})

test('silence has no spans', () => {
  assert.deepEqual(soundSpans(levels([127, 100])), [])
  assert.deepEqual(soundSpans(levels()), [])
})

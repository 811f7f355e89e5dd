import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSoon, wakeInSeconds } from './wake-up.ts'

const NOW = 1_790_000_000_000

for (const [what, due, expected] of [
  ['nothing is due', undefined, undefined],
  ['something is due in an hour: half a minute before', NOW + 3_600_000, 3570],
  ['something is due at once: when it is surely asleep', NOW + 5_000, 10],
  ['something is overdue: when it is surely asleep', NOW - 60_000, 10],
] as const) {
  test(`wake-up: ${what}`, () => assert.equal(wakeInSeconds(due, NOW), expected))
}

for (const [what, due, expected] of [
  ['nothing is due', undefined, false],
  ['in two minutes', NOW + 120_000, false],
  ['in less', NOW + 119_999, true],
] as const) {
  test(`too soon to sleep: ${what}`, () => assert.equal(isSoon(due, NOW), expected))
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSchedule, changeSchedule, nextRun, retryAfterFailure, runWindow } from './schedule.ts'

const MINUTE = 60_000
const on = { enabled: true, schedule_enabled: true, schedule_interval_minutes: 5 }

test('a schedule begins with one interval, and covers from now on', () => {
  assert.deepEqual(beginSchedule(on, 0), {
    next_run_at: new Date(5 * MINUTE),
    covered_until: new Date(0),
  })
})

test('a rule that is off, or has no schedule, has no next run', () => {
  const none = { next_run_at: null, covered_until: null }
  assert.deepEqual(beginSchedule({ ...on, enabled: false }, 0), none)
  assert.deepEqual(beginSchedule({ ...on, schedule_enabled: false }, 0), none)
})

test('a change leaves the schedule alone unless it is about it', () => {
  assert.deepEqual(changeSchedule(on, on, 7), {})
  assert.deepEqual(changeSchedule(on, { ...on, schedule_interval_minutes: 10 }, 0), {
    next_run_at: new Date(10 * MINUTE),
  })
  assert.deepEqual(changeSchedule({ ...on, enabled: false }, on, 0), beginSchedule(on, 0))
  assert.equal(changeSchedule(on, { ...on, enabled: false }, 0).next_run_at, null)
})

test('runs keep their beat, and missed beats are one run', () => {
  assert.equal(nextRun(on, 100, 100), 100 + 5 * MINUTE)
  assert.equal(nextRun(on, 100, 100 + 4 * MINUTE), 100 + 5 * MINUTE)
  assert.equal(nextRun(on, 100, 100 + 5 * MINUTE), 100 + 10 * MINUTE)
  assert.equal(nextRun(on, 100, 100 + 61 * MINUTE), 100 + 65 * MINUTE)
})

test('a failed run is repeated soon, then slower, never slower than the interval', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 50].map((failures) => retryAfterFailure(on, failures, 0) / MINUTE),
    [1, 2, 4, 5, 5],
  )
})

test('a window reaches from before the last good one to now, and tells what was late', () => {
  const hour = 60 * MINUTE
  assert.deepEqual(runWindow(on, hour, hour + 5 * MINUTE, hour + 5 * MINUTE), {
    from: hour - 2 * MINUTE,
    to: hour + 5 * MINUTE,
    lateness_ms: 0,
    gap_ms: 0,
  })
  assert.deepEqual(runWindow(on, hour, hour + 5 * MINUTE, 3 * hour), {
    from: hour - 2 * MINUTE,
    to: 3 * hour,
    lateness_ms: 115 * MINUTE,
    gap_ms: 115 * MINUTE,
  })
})

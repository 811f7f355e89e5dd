import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServiceClock } from './service-clock.ts'

test('a desk whose clock is wrong has the time of the service, and a right one its own', () => {
  const desk = { now: Date.parse('2026-11-18T06:00:00.700Z') }
  const clock = createServiceClock(() => desk.now)
  for (const date of [null, 'soon', 'Wed, 18 Nov 2026 06:00:00 GMT']) clock.learn(date)
  assert.equal(clock.now(), desk.now)
  clock.learn('Wed, 18 Nov 2026 06:20:00 GMT')
  desk.now += 60_000
  assert.equal(new Date(clock.now()).toISOString(), '2026-11-18T06:21:00.500Z')
  // Somebody has set it.
  desk.now = Date.parse('2026-11-18T06:22:00.000Z')
  clock.learn('Wed, 18 Nov 2026 06:22:01 GMT')
  assert.equal(clock.now(), desk.now)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallClock } from './wall-clock.ts'

const BERLIN = 'CET-1CEST,M3.5.0,M10.5.0/3'
const shown = (rule: string, at: string) =>
  wallClock(rule, Date.parse(at) / 1000)
    .toISOString()
    .slice(0, 16)

test('in the night of a change the clock goes as it goes then, before the change and after it', () => {
  assert.equal(shown(BERLIN, '2026-03-28T23:30Z'), '2026-03-29T00:30')
  assert.equal(shown(BERLIN, '2026-03-29T00:59Z'), '2026-03-29T01:59')
  assert.equal(shown(BERLIN, '2026-03-29T01:00Z'), '2026-03-29T03:00')
  assert.equal(shown(BERLIN, '2026-10-24T22:30Z'), '2026-10-25T00:30')
  assert.equal(shown(BERLIN, '2026-10-25T00:59Z'), '2026-10-25T02:59')
  assert.equal(shown(BERLIN, '2026-10-25T01:00Z'), '2026-10-25T02:00')
})

test('what comes after the change has the day that it has then', () => {
  assert.equal(shown(BERLIN, '2026-10-31T22:30Z'), '2026-10-31T23:30')
})

test('a zone at the edge of the calendar has its own day', () => {
  assert.equal(shown('<+14>-14', '2026-10-25T12:38Z'), '2026-10-26T02:38')
})

test('without a rule it is the clock of the phone', () => {
  const phone = new Date(1_800_000_000_000)
  const date = wallClock(undefined, 1_800_000_000)
  assert.equal(date.getUTCHours(), phone.getHours())
  assert.equal(date.getUTCDay(), phone.getDay())
})

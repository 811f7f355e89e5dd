import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import { fireTimes, nextFires, type Timing } from './fire-times.ts'

const BERLIN = parsePosixTz('CET-1CEST,M3.5.0,M10.5.0/3')
const utc = (text: string) => Date.parse(`${text}Z`)
const daily: Timing = { hour: 2, minute: 30, days: 0b111_1111, armed_at: 0 }
const shown = (fires: { at: number }[]) =>
  fires.map(({ at }) => new Date(at).toISOString().slice(0, 16))

type Row = [what: string, timing: Timing, from: string, until: string, fires: string[]]

const ROWS: Row[] = [
  [
    'a time that the clock skips fires at the first moment after the gap',
    daily,
    '2026-03-28T12:00',
    '2026-03-30T12:00',
    ['2026-03-29T01:00', '2026-03-30T00:30'],
  ],
  [
    'a time that comes twice fires at the first',
    daily,
    '2026-10-24T12:00',
    '2026-10-26T12:00',
    ['2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'bit 0 is Sunday and bit 6 is Saturday, on the local calendar',
    { ...daily, hour: 0, minute: 10, days: 0b100_0001 },
    '2026-01-08T00:00',
    '2026-01-15T00:00',
    ['2026-01-09T23:10', '2026-01-10T23:10'],
  ],
  [
    'nothing before it was armed',
    { ...daily, armed_at: utc('2026-01-02T01:30') },
    '2026-01-01T00:00',
    '2026-01-04T00:00',
    ['2026-01-03T01:30'],
  ],
  [
    'once: the first after it was armed',
    { ...daily, days: 0, armed_at: utc('2026-01-01T12:00') },
    '2026-01-01T00:00',
    '2026-01-09T00:00',
    ['2026-01-02T01:30'],
  ],
  [
    'once: none on a later day',
    { ...daily, days: 0, armed_at: utc('2026-01-01T12:00') },
    '2026-01-02T01:30',
    '2026-01-09T00:00',
    [],
  ],
  [
    'from is left out, until is not',
    daily,
    '2026-01-01T01:30',
    '2026-01-02T01:30',
    ['2026-01-02T01:30'],
  ],
]

for (const [what, timing, from, until, fires] of ROWS) {
  test(what, () => {
    assert.deepEqual(shown(fireTimes(BERLIN, timing, utc(from), utc(until))), fires)
  })
}

test('once in a gap fires once, after it', () => {
  const once = { ...daily, days: 0, armed_at: utc('2026-03-28T12:00') }
  assert.deepEqual(shown(nextFires(BERLIN, once, once.armed_at)), ['2026-03-29T01:00'])
})

test('a day has exactly one fire time, over two years of a changing clock', () => {
  const fires = fireTimes(BERLIN, daily, utc('2026-01-01T00:00'), utc('2028-01-01T00:00'))
  assert.equal(fires.length, 730)
  assert.equal(new Set(fires.map(({ date }) => date)).size, 730)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextTransition } from './next-transition.ts'
import { offsetAt } from './offset-at.ts'
import { parsePosixTz } from './parse-posix-tz.ts'

const utc = (text: string) => Date.parse(`${text}Z`)

const abbreviationAt = (rule: string, moment: string) =>
  offsetAt(parsePosixTz(rule), utc(moment)).abbreviation

describe('offsetAt in the corners of the calendar', () => {
  const cases: [what: string, rule: string, moment: string, abbreviation: string][] = [
    ['J60 is March 1 in a leap year', 'AAA0BBB,J60/0,J200', '2024-02-29T23:59:59', 'AAA'],
    ['J60 is March 1 in a leap year', 'AAA0BBB,J60/0,J200', '2024-03-01T00:00:00', 'BBB'],
    ['59 is February 29 in a leap year', 'AAA0BBB,59/0,J200', '2024-02-29T00:00:00', 'BBB'],
    ['59 is March 1 otherwise', 'AAA0BBB,59/0,J200', '2025-02-28T23:59:59', 'AAA'],
    ['59 is March 1 otherwise', 'AAA0BBB,59/0,J200', '2025-03-01T00:00:00', 'BBB'],
    [
      'week 5 is the fourth Monday of a short month',
      'AAA0BBB,M2.5.1/0,J200',
      '2026-02-23T00:00',
      'BBB',
    ],
    [
      'the south has summer across New Year',
      'NZST-12NZDT,M9.5.0,M4.1.0/3',
      '2025-12-31T23:00',
      'NZDT',
    ],
    [
      'the south has summer across New Year',
      'NZST-12NZDT,M9.5.0,M4.1.0/3',
      '2026-01-01T00:30',
      'NZDT',
    ],
    ['an empty season is no season', 'AAA0BBB,J100/2,J100/3', '2025-04-10T02:00', 'AAA'],
    ['a negative time starts in the old year', 'AAA0BBB,J1/-24,J100', '2025-12-31T00:00', 'BBB'],
    ['a negative time starts in the old year', 'AAA0BBB,J1/-24,J100', '2025-12-30T23:59:59', 'AAA'],
    ['a long time ends in the new year', 'AAA0BBB,J200,J365/48', '2026-01-01T22:59:59', 'BBB'],
    ['a long time ends in the new year', 'AAA0BBB,J200,J365/48', '2026-01-01T23:00:00', 'AAA'],
  ]
  for (const [what, rule, moment, abbreviation] of cases) {
    test(`${what}: ${rule} at ${moment} is ${abbreviation}`, () => {
      assert.equal(abbreviationAt(rule, moment), abbreviation)
    })
  }

  // The two spellings of RFC 9636, section 3.3.1.
  for (const rule of ['EST5EDT,0/0,J365/25', 'XXX3EDT4,0/0,J365/23']) {
    test(`${rule} is daylight saving all year, New Year's night too`, () => {
      for (let hour = 0; hour < 3 * 365 * 24; hour++)
        assert.deepEqual(offsetAt(parsePosixTz(rule), utc('2023-07-01T00:00') + hour * 3_600_000), {
          offset_s: -14_400,
          abbreviation: 'EDT',
          is_dst: true,
        })
    })
  }
})

describe('nextTransition', () => {
  test('gives the moment and what the clock is set to from then on', () => {
    const oslo = parsePosixTz('CET-1CEST,M3.5.0,M10.5.0/3')
    const spring = nextTransition(oslo, utc('2025-01-15T12:00'))
    assert.deepEqual(spring, {
      epoch: utc('2025-03-30T01:00'),
      offset_s: 7200,
      abbreviation: 'CEST',
      is_dst: true,
    })
    assert.deepEqual(nextTransition(oslo, utc('2025-03-30T01:00')), {
      epoch: utc('2025-10-26T01:00'),
      offset_s: 3600,
      abbreviation: 'CET',
      is_dst: false,
    })
  })

  for (const rule of ['<+03>-3', 'EST5EDT,0/0,J365/25', 'AAA0BBB,J100/2,J100/3'])
    test(`is null for ${rule}, whose clock never changes`, () => {
      assert.equal(nextTransition(parsePosixTz(rule), utc('2025-06-01T00:00')), null)
    })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimedMoment, momentOf } from './timestamps.ts'

const receivedAt = Date.UTC(2026, 0, 5, 12)
const AT = Date.UTC(2025, 9, 11, 22, 14, 15)

const SAME_MOMENT: [shape: string, value: string | number, milliseconds?: number][] = [
  ['ISO', '2025-10-11T22:14:15Z'],
  ['ISO with milliseconds', '2025-10-11T22:14:15.123Z', 123],
  ['ISO with nanoseconds', '2025-10-11T22:14:15.123456789Z', 123],
  ['ISO with an offset', '2025-10-12T00:14:15+02:00'],
  ['ISO with an offset without a colon', '2025-10-11T15:14:15-0700'],
  ['ISO without a zone', '2025-10-11T22:14:15'],
  ['ISO basic', '20251011T221415Z'],
  ['a blank between', '2025-10-11 22:14:15,123', 123],
  ['a named zone', '2025-10-11 22:14:15.5 UTC', 500],
  ['slashes', '2025/10/11 22:14:15'],
  ['Apache', '12/Oct/2025:00:14:15 +0200'],
  ['RFC 2822', 'Sat, 11 Oct 2025 22:14:15 +0000'],
  ['RFC 850', '11-Oct-2025 22:14:15 GMT'],
  ['C asctime', 'Sat Oct 11 22:14:15 2025'],
  ['Cisco, year in the middle', 'Oct 11 2025 22:14:15'],
  ['American', '10/11/2025 10:14:15 PM'],
  ['seconds', AT / 1_000],
  ['seconds with a fraction', AT / 1_000 + 0.5, 500],
  ['milliseconds', AT],
  ['microseconds', AT * 1_000],
  ['nanoseconds', AT * 1_000_000],
  ['seconds as text', String(AT / 1_000)],
  ['milliseconds as text', String(AT)],
  ['nanoseconds as text', `${AT}000000`],
  ['Windows FILETIME', '134046944550000000'],
  ['.NET', `/Date(${AT})/`],
  ['.NET with an offset', `/Date(${AT}+0200)/`],
]

for (const [shape, value, milliseconds = 0] of SAME_MOMENT) {
  test(`${shape}: ${value}`, () => assert.equal(momentOf(value, receivedAt), AT + milliseconds))
}

test('without a year it is the latest one that is not ahead of us, in our time zone', () => {
  const noon = new Date(2026, 0, 5, 12).getTime()
  assert.equal(momentOf('Jan  5 11:59:59', noon), new Date(2026, 0, 5, 11, 59, 59).getTime())
  assert.equal(momentOf('Dec 31 23:00:00', noon), new Date(2025, 11, 31, 23).getTime())
  const newYearsEve = new Date(2025, 11, 31, 23, 59).getTime()
  assert.equal(momentOf('Jan  1 00:00:30', newYearsEve), new Date(2026, 0, 1, 0, 0, 30).getTime())
})

test('a leap day without a year is the latest there was', () => {
  const noon = (year: number, month: number, day: number) =>
    new Date(year, month, day, 12).getTime()
  for (const [from, year] of [
    [noon(2026, 10, 17), 2024],
    [noon(2028, 1, 27), 2024],
    [noon(2028, 1, 29), 2028],
    [noon(2103, 5, 1), 2096],
  ] as const) {
    assert.equal(momentOf('Feb 29 10:00:00', from), new Date(year, 1, 29, 10).getTime())
  }
})

const NONE = [
  '',
  'yesterday',
  '2025-13-45T99:99:99Z',
  '2025-10-11T22:14:15+99:99',
  '2025-10-11T22:14:15-00:60',
  '11/Oct/2025:22:14:15 +2400',
  '2025-02-29T00:00:00.000Z',
  '2025-04-31T00:00:00.000Z',
  'Feb 30 10:00:00',
  'Nov 31 10:00:00',
  'Jan  0 10:00:00',
  'Jan  1 25:01:00',
  'Jan  1 10:61:00',
  'Jan  1 10:00:61',
  'Foo  1 10:00:00',
  '1970-01-01T00:00:00Z',
  '2099-01-01T00:00:00Z',
  0,
  -1,
  Number.NaN,
  1e300,
  null,
  true,
  {},
  ['2025-10-11T22:14:15Z'],
]
for (const value of NONE) {
  test(`no moment: ${JSON.stringify(value)}`, () => {
    assert.equal(momentOf(value, receivedAt), undefined)
  })
}

test('our own shape is read like any other, and only when it is a date', () => {
  const parts = fc.tuple(...[14, 33, 25, 61, 61].map((most) => fc.nat(most)), fc.nat(999))
  fc.assert(
    fc.property(parts, ([month, day, hour, minute, second, millis]) => {
      const two = (number: number | undefined) => String(number).padStart(2, '0')
      const time = [hour, minute, second].map(two).join(':')
      const text = `2024-${two(month)}-${two(day)}T${time}.${String(millis).padStart(3, '0')}`
      assert.equal(momentOf(`${text}Z`, receivedAt), momentOf(`${text}+00:00`, receivedAt))
    }),
    { numRuns: 500 },
  )
})

test('a moment of any precision and offset comes back', () => {
  const moments = fc.integer({ min: Date.UTC(1990, 0, 1), max: receivedAt })
  fc.assert(
    fc.property(moments, fc.integer({ min: -12 * 60, max: 14 * 60 }), (at, offset) => {
      const sign = offset < 0 ? '-' : '+'
      const pad = (n: number) => String(Math.floor(n)).padStart(2, '0')
      const zone = `${sign}${pad(Math.abs(offset) / 60)}:${pad(Math.abs(offset) % 60)}`
      const text = new Date(at + offset * 60_000).toISOString().replace('Z', zone)
      assert.equal(momentOf(text, receivedAt), at)
    }),
    { numRuns: 200 },
  )
})

test('a year below 100 is not one of the last century', () => {
  for (const said of ['0001-01-01T00:00:00Z', '01/01/0001 00:00:00']) {
    assert.equal(claimedMoment(said, Date.UTC(2026, 10, 18)), undefined)
  }
})

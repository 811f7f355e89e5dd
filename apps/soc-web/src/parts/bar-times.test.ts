import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barTimes, dayOfBar } from './bar-times.ts'

const said = (first: string, last: string, at: string) =>
  barTimes({ first, last }, 'en-GB', 'Europe/Berlin')(at).replace(/\s/g, ' ')

test('bars say the minute, and the day where they lie on several', () => {
  const day = ['2026-11-16T18:00:00Z', '2026-11-17T18:00:00Z'] as const
  assert.equal(said(...day, '2026-11-16T21:10:00Z'), '16 Nov, 22:10')
  const hour = ['2026-11-17T18:00:00Z', '2026-11-17T19:00:00Z'] as const
  assert.equal(said(...hour, '2026-11-17T18:07:00Z'), '19:07')
  const years = ['2019-11-26T00:00:00Z', '2026-12-13T00:00:00Z'] as const
  assert.match(said(...years, '2022-04-27T04:00:00Z'), /^27 Apr 2022, 06:00/)
})

test('where the clocks change in between, an hour that comes twice is told apart', () => {
  const night = ['2026-10-24T20:00:00Z', '2026-10-25T06:00:00Z'] as const
  const [one, other] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) =>
    said(...night, at),
  )
  assert.match(one ?? '', /25 Oct, 02:30/)
  assert.match(other ?? '', /25 Oct, 02:30/)
  assert.notEqual(one, other)
})

test('a day is the same one west of Greenwich', () => {
  const { TZ } = process.env
  try {
    for (const zone of ['America/New_York', 'UTC', 'Pacific/Kiritimati']) {
      process.env.TZ = zone
      for (const day of ['2026-11-17', '2026-11-17T00:00:00.000Z']) {
        assert.equal(dayOfBar(day, 'en-GB'), '17/11/2026', zone)
      }
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
})

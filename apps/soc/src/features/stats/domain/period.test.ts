import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ActivityRow, hourOf, period, spanStarts } from './period.ts'

const NOW = new Date('2026-03-02T10:20:00Z')
const row = (from: string, rest: Partial<ActivityRow>): ActivityRow => ({
  from: Date.parse(from),
  severity: 'high',
  created: 0,
  acknowledged: 0,
  acknowledged_ms: 0,
  resolved: 0,
  resolved_ms: 0,
  ...rest,
})

describe('a period', () => {
  it('ends with the running hour and has no holes', () => {
    const starts = spanStarts(NOW, { step: 'hour', steps: 3 })
    const { trend } = period([row('2026-03-02T09:00Z', { created: 4 })], starts)
    assert.deepEqual(trend, [
      { from: '2026-03-02T08:00:00.000Z', created: 0, acknowledged: 0, resolved: 0 },
      { from: '2026-03-02T09:00:00.000Z', created: 4, acknowledged: 0, resolved: 0 },
      { from: '2026-03-02T10:00:00.000Z', created: 0, acknowledged: 0, resolved: 0 },
    ])
  })

  it('of days begins at midnight as it is there', () => {
    const first = (timezone: string) => {
      const [start = 0, ...rest] = spanStarts(NOW, { step: 'day', steps: 30, timezone })
      assert.equal(rest.length, 29)
      return new Date(start).toISOString()
    }
    assert.equal(first('UTC'), '2026-02-01T00:00:00.000Z')
    assert.equal(first('Asia/Riyadh'), '2026-01-31T21:00:00.000Z')
    // Its second of March is still to come.
    assert.equal(first('Pacific/Honolulu'), '2026-02-01T10:00:00.000Z')
    // Midnight is at half past eighteen: hours are counted whole.
    assert.equal(first('Asia/Kolkata'), '2026-01-31T19:00:00.000Z')
  })

  it('of days begins where a walk through every hour finds a new day', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Asia/Kolkata',
    ]
    zones.push('Africa/Casablanca', 'Pacific/Kiritimati', 'Pacific/Apia', 'America/Santiago')
    // A day that Samoa left out, and both changes of the clocks on either side of the equator.
    const around = ['2012-01-03', '2026-03-30', '2026-04-06', '2026-10-26', '2026-11-02']
    for (const timezone of zones) {
      const day = new Intl.DateTimeFormat('en', { timeZone: timezone })
      for (const date of around) {
        for (let at = 0; at < 24; at += 3) {
          const now = new Date(Date.parse(date) + at * 3_600_000 + 1)
          const walked: number[] = []
          for (let hour = hourOf(now.getTime()); walked.length < 9; hour -= 3_600_000) {
            if (day.format(hour) !== day.format(hour - 3_600_000)) walked.unshift(hour)
          }
          assert.deepEqual(spanStarts(now, { step: 'day', steps: 9, timezone }), walked)
        }
      }
    }
  })

  it('of days counts each hour with its own day, also where clocks are put back', () => {
    const { trend } = period(
      ['2026-10-24T21:00Z', '2026-10-24T22:00Z', '2026-10-25T22:00Z', '2026-10-25T23:00Z'].map(
        (from) => row(from, { created: 1 }),
      ),
      spanStarts(new Date('2026-10-26T09:00:00Z'), {
        step: 'day',
        steps: 3,
        timezone: 'Europe/Berlin',
      }),
    )
    assert.deepEqual(
      trend.map(({ from, created }) => [from, created]),
      [
        ['2026-10-23T22:00:00.000Z', 1],
        ['2026-10-24T22:00:00.000Z', 2],
        ['2026-10-25T23:00:00.000Z', 1],
      ],
    )
  })

  it('tells mean times over all and by severity, null where nothing was done', () => {
    const { mtta_seconds, mttr_seconds, times_by_severity } = period(
      [
        row('2026-03-02T09:00Z', { acknowledged: 1, acknowledged_ms: 60_000 }),
        row('2026-03-02T10:00Z', { severity: 'low', acknowledged: 3, acknowledged_ms: 20_000 }),
      ],
      spanStarts(NOW, { step: 'hour', steps: 24 }),
    )
    assert.equal(mtta_seconds, 20)
    assert.equal(mttr_seconds, null)
    assert.deepEqual(times_by_severity.high, { mtta_seconds: 60, mttr_seconds: null })
    assert.equal(times_by_severity.critical.mtta_seconds, null)
  })
})

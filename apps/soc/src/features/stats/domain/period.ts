import { Severity } from '@manara/soc-contract/severity'
import type { Period } from '@manara/soc-contract/stats'

export type ActivityRow = {
  /** Of its part of the period, or within it: milliseconds since 1970. */
  from: number
  severity: Severity
  created: number
  acknowledged: number
  acknowledged_ms: number
  resolved: number
  resolved_ms: number
}

const NOTHING = { created: 0, acknowledged: 0, acknowledged_ms: 0, resolved: 0, resolved_ms: 0 }

/** The last `steps` hours, or days as they are there, the running one included. */
export type Span =
  | { step: 'hour'; steps: number }
  | { step: 'day'; steps: number; timezone: string }

const HOUR_MS = 3_600_000
/** From the last hour of a day to one of its first: it may have an hour less. */
const WITHIN_DAY_MS = 21 * HOUR_MS

/**
 * When each part begins, which is with an hour of UTC, since those are counted: where clocks are half
 * an hour off, with the first one that begins in the day.
 */
export function spanStarts(now: Date, span: Span): number[] {
  const days = span.step === 'day' && new Intl.DateTimeFormat('en', { timeZone: span.timezone })
  const starts = new Map<string, number>()
  let hour = hourOf(now.getTime())
  for (;;) {
    const part = days ? days.format(hour) : `${hour}`
    const isKnown = starts.has(part)
    if (starts.size === span.steps && !isKnown) return [...starts.values()].reverse()
    starts.set(part, hour)
    // The running day may have begun just now; of those before it this is the last hour.
    const isWholeDay = days && !isKnown && starts.size > 1
    hour -= isWholeDay ? WITHIN_DAY_MS : HOUR_MS
  }
}

/** The hour of a moment. */
export const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS

/** Parts in which nothing happened are there too: a chart has no holes. */
export function period(rows: ActivityRow[], starts: number[]): Period {
  const byStart = Map.groupBy(rows, ({ from }) => starts.findLast((start) => start <= from))
  const bySeverity = Map.groupBy(rows, ({ severity }) => severity)
  const total = add(rows)
  return {
    ...times(total),
    totals: activity(total),
    times_by_severity: Object.fromEntries(
      Severity.options.map((severity) => [severity, times(add(bySeverity.get(severity) ?? []))]),
    ) as Period['times_by_severity'],
    trend: starts.map((from) => ({
      from: new Date(from).toISOString(),
      ...activity(add(byStart.get(from) ?? [])),
    })),
  }
}

type Sums = typeof NOTHING

function add(rows: ActivityRow[]): Sums {
  return rows.reduce(
    (sums, row) => ({
      created: sums.created + row.created,
      acknowledged: sums.acknowledged + row.acknowledged,
      acknowledged_ms: sums.acknowledged_ms + row.acknowledged_ms,
      resolved: sums.resolved + row.resolved,
      resolved_ms: sums.resolved_ms + row.resolved_ms,
    }),
    NOTHING,
  )
}

const activity = ({ created, acknowledged, resolved }: Sums) => ({
  created,
  acknowledged,
  resolved,
})

const times = (sums: Sums) => ({
  mtta_seconds: meanSeconds(sums.acknowledged_ms, sums.acknowledged),
  mttr_seconds: meanSeconds(sums.resolved_ms, sums.resolved),
})

const meanSeconds = (ms: number, count: number) => (count > 0 ? ms / count / 1_000 : null)

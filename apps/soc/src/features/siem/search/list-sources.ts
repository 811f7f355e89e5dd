import type { LogSource } from '@manara/soc-contract/siem'
import type { SourceSummary } from '../../../ports/log-store.ts'

/** What this process counted of a source since it started. */
export type SourceRate = { lastReceivedAt: number | null; minutes: ReadonlyMap<number, number> }

const RECENT_MINUTES = 5
const MINUTE_MS = 60_000

/** Whoever sent last comes first. */
export function listSources(
  sources: SourceSummary[],
  rates: ReadonlyMap<string, SourceRate>,
  now: number,
): LogSource[] {
  return sources
    .toSorted((a, b) => b.lastAt - a.lastAt || (a.source < b.source ? -1 : 1))
    .map(({ source, count, firstAt, lastAt }) => {
      const rate = rates.get(source)
      return {
        source,
        events: count,
        first_event_at: new Date(firstAt).toISOString(),
        last_event_at: new Date(lastAt).toISOString(),
        last_received_at: rate?.lastReceivedAt ? new Date(rate.lastReceivedAt).toISOString() : null,
        events_per_minute: rate ? perMinute(rate, now) : 0,
      }
    })
}

function perMinute({ minutes }: SourceRate, now: number): number {
  const current = Math.floor(now / MINUTE_MS)
  let recent = 0
  for (const [minute, count] of minutes) if (minute > current - RECENT_MINUTES) recent += count
  return recent / RECENT_MINUTES
}

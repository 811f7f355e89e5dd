import type { LogSource } from '@manara/soc-contract/siem'
import type { SourceSummary } from '../../../ports/log-store.ts'
import type { SourceHealth } from '../sources/read-health.ts'

/** What this process counted of a source since it started. */
export type SourceRate = { lastReceivedAt: number | null; minutes: ReadonlyMap<number, number> }

const RECENT_MINUTES = 5
const MINUTE_MS = 60_000

/** Whoever sent last comes first. */
export function listSources(
  sources: SourceSummary[],
  rates: ReadonlyMap<string, SourceRate>,
  health: ReadonlyMap<string, SourceHealth>,
  now: number,
): LogSource[] {
  return sources
    .toSorted((a, b) => b.lastAt - a.lastAt || (a.source < b.source ? -1 : 1))
    .map(({ source, count, firstAt, lastAt }) => {
      const rate = rates.get(source)
      const known = health.get(source)
      // What this process has seen is not written down at once.
      const lastReceivedAt = Math.max(rate?.lastReceivedAt ?? 0, known?.lastReceivedAt ?? 0)
      const isSilent = known?.silentSince != null
      return {
        source,
        events: count,
        first_event_at: new Date(firstAt).toISOString(),
        last_event_at: new Date(lastAt).toISOString(),
        last_received_at: lastReceivedAt === 0 ? null : new Date(lastReceivedAt).toISOString(),
        events_per_minute: Math.max(
          rate ? perMinute(rate, now) : 0,
          (known?.recentEvents ?? 0) / RECENT_MINUTES,
        ),
        lag_s: known?.lagS ?? null,
        parse_share: known?.parseShare ?? null,
        state: isSilent ? 'silent' : known?.isLearning === false ? 'active' : 'learning',
        silent_since: known?.silentSince ?? null,
        silence_s: lastReceivedAt === 0 ? null : Math.max(0, (now - lastReceivedAt) / 1000),
        expected_by: known?.expectedBy ?? null,
        alert_id: known?.alertId ?? null,
        is_new: known?.isNew ?? false,
      }
    })
}

function perMinute({ minutes }: SourceRate, now: number): number {
  const current = Math.floor(now / MINUTE_MS)
  let recent = 0
  for (const [minute, count] of minutes) if (minute > current - RECENT_MINUTES) recent += count
  return recent / RECENT_MINUTES
}

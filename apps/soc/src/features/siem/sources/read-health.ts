import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

export type SourceHealth = {
  lastReceivedAt: number
  /** Over the last five minutes. */
  recentEvents: number
  lagS: number | null
  parseShare: number | null
  isLearning: boolean
  isNew: boolean
  silentSince: string | null
  expectedBy: string | null
  alertId: string | null
}

const DAY_MS = 86_400_000
const LAG_MS = 2 * 3_600_000
const RECENT_MS = 5 * 60_000

type Row = {
  source: string
  first_received_at: Date
  last_received_at: Date
  silent_since: Date | null
  expected_by: Date | null
  alert_id: string | null
  recent: string | null
  events: string | null
  read_events: string | null
  lag_ms: number | null
}

/** From the counts by hour: the log store is not asked. */
export async function readSourceHealth(
  db: Kysely<Tables>,
  now: number,
): Promise<Map<string, SourceHealth>> {
  const since = (ms: number) => new Date(now - ms)
  const { rows } = await sql<Row>`
    SELECT known.source, first_received_at, last_received_at, silent_since, expected_by, alert_id,
      minutes.recent, hours.events, hours.read_events, hours.lag_ms
    FROM log_sources known
    LEFT JOIN (SELECT source, sum(events) AS recent FROM log_source_minutes
      WHERE minute > ${since(RECENT_MS)} GROUP BY source) minutes USING (source)
    LEFT JOIN (SELECT source, sum(events) AS events, sum(read_events) AS read_events,
        (sum(lag_ms) FILTER (WHERE hour > ${since(LAG_MS)})
          / nullif(sum(events) FILTER (WHERE hour > ${since(LAG_MS)}), 0))::float8 AS lag_ms
      FROM log_source_hours WHERE hour > ${since(DAY_MS)} GROUP BY source) hours USING (source)`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [
      row.source,
      {
        lastReceivedAt: row.last_received_at.getTime(),
        recentEvents: Number(row.recent ?? 0),
        lagS: row.lag_ms === null ? null : Math.round(row.lag_ms) / 1000,
        parseShare: row.events === null ? null : Number(row.read_events) / Number(row.events),
        isLearning: now - row.first_received_at.getTime() < 7 * DAY_MS,
        isNew: now - row.first_received_at.getTime() < DAY_MS,
        silentSince: row.silent_since?.toISOString() ?? null,
        expectedBy: row.expected_by?.toISOString() ?? null,
        alertId: row.alert_id,
      },
    ]),
  )
}

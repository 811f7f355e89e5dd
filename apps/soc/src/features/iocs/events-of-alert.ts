import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

/** The events in which the indicator of such an alert was seen on its host. */
export async function sightedEvents(
  db: Kysely<Tables>,
  alert: { source: string; iocs: string[]; host: string | null },
): Promise<string[]> {
  if (alert.source !== 'ioc') return []
  const { rows } = await sql<{ log_id: string }>`
    SELECT log_id FROM ioc_sightings JOIN iocs ON iocs.id = ioc_id
    WHERE iocs.value = ANY(${alert.iocs}) AND host IS NOT DISTINCT FROM ${alert.host}
    ORDER BY seen_at, log_id LIMIT 10000`.execute(db)
  return rows.map(({ log_id }) => log_id)
}

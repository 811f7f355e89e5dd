import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

/** The events whose hits are counted on an alert, in the order in which they were found. */
export async function eventsOfAlert(db: Kysely<Tables>, { id }: { id: string }): Promise<string[]> {
  const { rows } = await sql<{ log_id: string }>`
    SELECT log_id FROM detection_hits WHERE alert_id = ${id}
    ORDER BY claimed_at, log_id LIMIT 10000`.execute(db)
  return rows.map(({ log_id }) => log_id)
}

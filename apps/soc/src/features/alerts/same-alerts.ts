import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { dedupHash } from './domain/dedup-hash.ts'

/** The alerts that are there and equal to one of these, newest first. */
export async function sameAlerts(
  db: Kysely<Tables>,
  alerts: { title: string; source: string; iocs: string[] }[],
) {
  if (alerts.length === 0) return []
  return db
    .selectFrom('alerts')
    .select(['id', 'title', 'severity', 'status'])
    .where('dedup_hash', '=', sql<string>`ANY(${alerts.map(dedupHash)}::text[])`)
    .orderBy('created_at', 'desc')
    .limit(200)
    .execute()
}

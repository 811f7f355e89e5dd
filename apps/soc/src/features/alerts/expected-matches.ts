import type { AlertFilter } from '@manara/soc-contract/alerts'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { inTimeOrder, matching } from './alert-filter.ts'

/**
 * How many PostgreSQL thinks there are, from its statistics: of a word that most alerts have a page
 * is full after a look at a few, and finding them all first would be in vain.
 */
export async function expectedMatches(db: Kysely<Tables>, filter: AlertFilter): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM alerts
    WHERE ${matching(filter)} AND ${inTimeOrder(filter)}`.execute(db)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

/**
 * Whether the rule is there, and it stays until the end. One recording of a rule at a time, so that
 * none opens a second alert; the rule itself is not locked: it can be changed, and taken for its
 * scheduled run, meanwhile.
 */
export async function holdHits(tx: Kysely<Tables>, ruleId: string): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`hits of ${ruleId}`}, 0))`.execute(tx)
  const row = await tx
    .selectFrom('detection_rules')
    .select('id')
    .where('id', '=', ruleId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

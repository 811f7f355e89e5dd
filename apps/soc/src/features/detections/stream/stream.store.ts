import type { DetectionRule } from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { RULE_COLUMNS, toRule } from '../rules/rule-record.ts'
import type { MatchRule } from './rule-set.ts'

type Db = Kysely<Tables>

/** Of every rule that is on, its version and since when: cheap to ask often. */
export async function enabledVersions(db: Db) {
  const rows = await db
    .selectFrom('detection_rules')
    .select(['id', 'version', 'updated_at'])
    .where('enabled', '=', true)
    .execute()
  return new Map(
    rows.map(({ id, version, updated_at }) => [id, { version, since: updated_at.getTime() }]),
  )
}

/** What of a rule it takes to find its events. */
export const MATCHED_BY = [
  'id',
  'query',
  'source',
  'host',
  'match_severity',
  'kind',
  'threshold',
  'new_terms',
  'sequence',
] as const

export async function matchRules(db: Db, ids: string[]): Promise<MatchRule[]> {
  return db
    .selectFrom('detection_rules')
    .select([...MATCHED_BY, 'source_key', 'source_query'])
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute()
}

/** In the order of their ids, as hits are to be recorded; those that were switched off are left out. */
export async function enabledRulesOf(db: Db, ids: string[]): Promise<DetectionRule[]> {
  const rows = await db
    .selectFrom('detection_rules')
    .select(RULE_COLUMNS)
    .where('enabled', '=', true)
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
  return rows.map(toRule)
}

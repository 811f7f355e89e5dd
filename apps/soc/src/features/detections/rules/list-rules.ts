import type { DetectionRule, RuleListQuery } from '@manara/soc-contract/detections'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import type { Sort } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'
import { RULE_COLUMNS, toRule } from './rule-record.ts'

const SORTS: Record<RuleListQuery['sort'], Sort['columns']> = {
  created_at: { created_at: 'time', id: 'id' },
  updated_at: { updated_at: 'time', id: 'id' },
}

export async function listRules(
  db: Kysely<Tables>,
  query: RuleListQuery,
  principal: Principal,
): Promise<ListOf<DetectionRule>> {
  const sort: Sort = { name: query.sort, order: query.order, columns: SORTS[query.sort] }
  const listed = db
    .selectFrom('detection_rules')
    .where(sql.join<boolean>([sharedWith(principal), ...conditionsOf(query)], sql` AND `))
  return readPage(query, sort, listed.select(RULE_COLUMNS), toRule)
}

function* conditionsOf(query: RuleListQuery): Iterable<RawBuilder<boolean>> {
  if (query.kind !== undefined) yield sql`kind = ${query.kind}`
  if (query.enabled !== undefined) yield sql`enabled = ${query.enabled === 'true'}`
  if (query.schedule_enabled !== undefined) {
    yield sql`schedule_enabled = ${query.schedule_enabled === 'true'}`
  }
  if (query.source !== undefined) yield sql`source = ${query.source}`
  if (query.tag !== undefined) yield sql`tags @> ARRAY[${query.tag}]`
  if (query.technique !== undefined) {
    yield sql`mitre_techniques @> ARRAY[${query.technique.toUpperCase()}]`
  }
  if (query.sigma_id !== undefined) yield sql`sigma_id = ${query.sigma_id}`
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (query.q !== undefined) {
    yield sql`strpos(lower(concat_ws(' ', name, description, query)), lower(${query.q})) > 0`
  }
}

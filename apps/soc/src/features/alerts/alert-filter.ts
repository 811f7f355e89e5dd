import type { AlertFilter } from '@manara/soc-contract/alerts'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isHidden } from '../../core/access/reader.ts'
import { spellingsOf } from '../../core/identity/is-named.ts'
import { ALERT_TEXT, mentioning } from '../../db/parts-of-words.ts'
import { isRecordId } from '../../db/record-id.ts'
import { severityRank } from '../../db/severity-rank.ts'
import type { Tables } from '../../db/tables.ts'

/** The assignee in every spelling to look for. */
type Spelled = AlertFilter & { assignees?: string[] | undefined }

export const spelled = async <Filter extends AlertFilter>(
  db: Kysely<Tables>,
  filter: Filter,
): Promise<Filter> =>
  filter.assignee === undefined
    ? filter
    : { ...filter, assignees: await spellingsOf(db, filter.assignee) }

/** The condition of a list, a count or a bulk change. */
export function matching(filter: Spelled): RawBuilder<boolean> {
  const conditions = [...conditionsOf(filter)]
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql<boolean>`true`
}

const INDEXED = ['severity', 'status', 'source', 'assignee', 'case_id', 'rule_id', 'host'] as const

/** Whether to walk the alerts by time: not when a filter has its own index (migration 110). */
export function inTimeOrder(filter: AlertFilter): RawBuilder<boolean> {
  const hasOwnIndex = INDEXED.some((name) => filter[name] !== undefined)
  return hasOwnIndex ? sql`true` : sql`severity_rank > 0`
}

function* conditionsOf(filter: Spelled): Iterable<RawBuilder<boolean>> {
  const { severity, status, source, assignee, case_id, rule_id, host, tag, q } = filter
  if (severity) yield oneOf(sql`severity_rank`, severity.map(severityRank), sql`int[]`)
  if (status) yield oneOf(sql`status`, status, sql`text[]`)
  if (source !== undefined) yield sql`source = ${source}`
  if (assignee !== undefined) {
    yield oneOf(sql`assignee`, filter.assignees ?? [assignee], sql`text[]`)
  }
  if (case_id !== undefined) {
    // Which alerts are in a case that the caller may not read is not told: as if there were no case.
    const isThere = isRecordId(case_id) && !isHidden(case_id.toLowerCase())
    yield isThere ? sql`case_id = ${case_id}` : sql`false`
  }
  if (rule_id !== undefined) yield sql`rule_id = ${rule_id}`
  if (host !== undefined) yield sql`host = ${host}`
  if (tag !== undefined) yield sql`tags @> ARRAY[${tag}]`
  if (filter.from) yield sql`created_at >= ${filter.from}`
  if (filter.to) yield sql`created_at < ${filter.to}`
  if (filter.updated_since) yield sql`updated_at >= ${filter.updated_since}`
  if (q !== undefined) yield mentioning(q, ALERT_TEXT)
}

/** Of one value an index is in the order of what comes after it, which the planner knows of `=` only. */
const oneOf = (
  column: RawBuilder<unknown>,
  values: readonly unknown[],
  type: RawBuilder<unknown>,
) =>
  values.length === 1
    ? sql<boolean>`${column} = ${values[0]}`
    : sql<boolean>`${column} = ANY(${values}::${type})`

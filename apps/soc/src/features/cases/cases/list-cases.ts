import type { Case, CaseListQuery } from '@manara/soc-contract/cases'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isReadable } from '../../../core/access/reader.ts'
import { spellingsOf } from '../../../core/identity/is-named.ts'
import type { Sort } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import { CASE_TEXT, mentioning } from '../../../db/parts-of-words.ts'
import { severityRank } from '../../../db/severity-rank.ts'
import type { Tables } from '../../../db/tables.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { CASE_COLUMNS, toCase } from './case-record.ts'

const SORTS: Record<CaseListQuery['sort'], Sort['columns']> = {
  created_at: { created_at: 'time', id: 'id' },
  updated_at: { updated_at: 'time', id: 'id' },
  severity: { severity_rank: 'number', created_at: 'time', id: 'id' },
}

/** A case merged into another is shown there, in `merged_case_ids`. */
export async function listCases(
  { alertIdsOf }: Pick<AlertsOfCases, 'alertIdsOf'>,
  db: Kysely<Tables>,
  query: CaseListQuery,
): Promise<ListOf<Case>> {
  const sort: Sort = { name: query.sort, order: query.order, columns: SORTS[query.sort] }
  const assignees = query.assignee && (await spellingsOf(db, query.assignee))
  const listed = db
    .selectFrom('cases')
    .where(sql.join<boolean>([...conditionsOf(query, assignees)], sql` AND `))
  const page = await readPage(query, sort, listed.select(CASE_COLUMNS), (row) => row)
  const alerts = await alertIdsOf(
    db,
    page.items.map(({ id }) => id),
  )
  return {
    ...page,
    items: page.items.map((row) => toCase(row, alerts.get(row.id)?.map(({ id }) => id) ?? [])),
  }
}

function* conditionsOf(
  query: CaseListQuery,
  assignees: string[] | string | undefined,
): Iterable<RawBuilder<boolean>> {
  yield sql`deleted_at IS NULL AND merged_into IS NULL`
  yield isReadable('id')
  if (query.status) yield sql`status = ANY(${query.status}::text[])`
  if (query.severity) yield sql`severity_rank = ANY(${query.severity.map(severityRank)}::int[])`
  if (assignees !== undefined) yield sql`assignee = ANY(${[assignees].flat()}::text[])`
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (query.q !== undefined) yield mentioning(query.q, CASE_TEXT)
}

/** The newest that were opened since, without their alerts; for reports, which everybody reads. */
export async function casesSince(db: Kysely<Tables>, from: Date, limit: number): Promise<Case[]> {
  const rows = await db
    .selectFrom('cases')
    .select(CASE_COLUMNS)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
    .where(sql<boolean>`access->>'mode' = 'team' AND tlp NOT IN ('amber+strict', 'red')`)
    .where('created_at', '>=', from)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => toCase(row, []))
}

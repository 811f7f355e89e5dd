import type { Case, CaseListQuery } from '@manara/soc-contract/cases'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
import { severityRank } from '../../db/severity-rank.ts'
import type { Tables } from '../../db/tables.ts'
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
  const listed = db
    .selectFrom('cases')
    .where(sql.join<boolean>([...conditionsOf(query)], sql` AND `))
  const [rows, { total }] = await Promise.all([
    listed
      .select(CASE_COLUMNS)
      .where(behind(sort, query.cursor))
      .orderBy(ordered(sort))
      .offset(query.skip)
      .limit(query.limit + 1)
      .execute(),
    listed.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  const alerts = await alertIdsOf(
    db,
    rows.map(({ id }) => id),
  )
  return pageOf(query, {
    rows,
    cursorAfter: (row) => cursorAfter(sort, row),
    total: Number(total),
    toItem: (row) => toCase(row, alerts.get(row.id)?.map(({ id }) => id) ?? []),
  })
}

function* conditionsOf(query: CaseListQuery): Iterable<RawBuilder<boolean>> {
  yield sql`deleted_at IS NULL AND merged_into IS NULL`
  if (query.status !== undefined) yield sql`status = ${query.status}`
  if (query.severity !== undefined) yield sql`severity_rank = ${severityRank(query.severity)}`
  if (query.assignee !== undefined) yield sql`assignee = ${query.assignee}`
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (query.q !== undefined) yield sql`search @@ websearch_to_tsquery('simple', ${query.q})`
}

import type { CaseDetail } from '@manara/soc-contract/cases'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type Selectable, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../../db/keyset.ts'
import { pageOf } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'

type Db = Kysely<Tables>
type PartTable = 'case_observables' | 'case_comments' | 'case_tasks' | 'evidence'
type PartQuery = {
  skip: number
  limit: number
  cursor?: string | undefined
  order: 'asc' | 'desc'
}

/** Observables, comments, tasks or evidence of these cases, all or the latest, oldest first. */
export async function partsOf<Table extends PartTable>(
  db: Db,
  table: Table,
  caseIds: string[],
  latest?: number,
) {
  const { rows } = await sql<Selectable<Tables[Table]>>`
    SELECT * FROM ${sql.table(table)} WHERE case_id = ANY(${caseIds}::uuid[])
    ORDER BY created_at DESC, id DESC LIMIT ${latest ?? null}`.execute(db)
  return rows.toReversed()
}

export async function countsOf(db: Db, caseIds: string[]): Promise<CaseDetail['counts']> {
  const ofCases = (table: string) =>
    sql`(SELECT count(*)::int FROM ${sql.table(table)} WHERE case_id = ANY(${caseIds}::uuid[]))`
  const { rows } = await sql<NonNullable<CaseDetail['counts']>>`
    SELECT ${ofCases('case_timeline')} AS timeline, ${ofCases('evidence')} AS evidence,
      ${ofCases('case_observables')} AS observables, ${ofCases('case_comments')} AS comments
  `.execute(db)
  return rows[0]
}

export async function listParts<Table extends PartTable, Item>(
  db: Db,
  table: Table,
  caseIds: string[],
  query: PartQuery,
  toItem: (row: Selectable<Tables[Table]>) => Item,
  where = sql`TRUE`,
): Promise<ListOf<Item>> {
  const sort: Sort = {
    name: table,
    order: query.order,
    columns: { created_at: 'time', id: 'id' },
  }
  const ofCases = sql`FROM ${sql.table(table)} WHERE case_id = ANY(${caseIds}::uuid[]) AND ${where}`
  const [{ rows }, counted] = await Promise.all([
    sql<Selectable<Tables[Table]>>`
      SELECT * ${ofCases} AND ${behind(sort, query.cursor)}
      ORDER BY ${ordered(sort)} LIMIT ${query.limit + 1} OFFSET ${query.skip}`.execute(db),
    sql<{ total: string }>`SELECT count(*) AS total ${ofCases}`.execute(db),
  ])
  return pageOf(query, {
    rows,
    total: Number(counted.rows[0]?.total),
    toItem,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
}

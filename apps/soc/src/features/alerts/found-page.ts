import type { AlertFilter } from '@manara/soc-contract/alerts'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { behind, ordered, type Sort } from '../../db/keyset.ts'
import type { Tables } from '../../db/tables.ts'
import { inTimeOrder, matching } from './alert-filter.ts'

/** So many matches are sorted in a moment; with more the list is walked in its order. */
export const MOST_SORTED = 20_000

type Page = {
  filter: AlertFilter
  sort: Sort
  skip: number
  limit: number
  cursor: string | undefined
  mostSorted: number
}

/**
 * A page of what a text is searched for in. No index has those in the order of the list, so all
 * matches are found, for the page and for the total alike: once, and of each only what it is sorted
 * by. `matches` is how many there are; when it is more than `mostSorted` the page is of any of them.
 */
export async function foundPage<Row>(
  db: Kysely<Tables>,
  columns: RawBuilder<unknown>,
  { filter, sort, skip, limit, cursor, mostSorted }: Page,
): Promise<{ rows: Row[]; matches: number | undefined }> {
  const sorted = sql.join(Object.keys(sort.columns).map((column) => sql.ref(column)))
  const { rows } = await sql<Row & { matches: string }>`
    WITH found AS MATERIALIZED (
      SELECT ${sorted} FROM alerts
      WHERE ${matching(filter)} AND ${inTimeOrder(filter)} LIMIT ${mostSorted + 1}
    )
    SELECT ${columns}, (SELECT count(*) FROM found) AS matches FROM alerts
    WHERE id = ANY(ARRAY(
      SELECT id FROM found WHERE ${behind(sort, cursor)}
      ORDER BY ${ordered(sort)} OFFSET ${skip} LIMIT ${limit}))
    ORDER BY ${ordered(sort)}`.execute(db)
  const [first] = rows
  return { rows, matches: first && Number(first.matches) }
}

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

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ordered, type Sort } from './keyset.ts'
import type { Tables } from './tables.ts'

/** So many matches are sorted in a moment; with more the list is walked in its order. */
export const MOST_SORTED = 20_000

type Page = {
  table: keyof Tables
  /** Those that it is sorted by among them. */
  columns: RawBuilder<unknown>
  chosen: RawBuilder<boolean>
  sort: Sort
  behind: RawBuilder<boolean>
  skip: number
  limit: number
  mostSorted?: number | undefined
}

/**
 * A page of what a text is searched for in. No index has those in the order of the list, so all
 * matches are found, for the page and for the total alike: once, and of each only what it is sorted
 * by. `matches` is how many there are; when it is more than `mostSorted` the page is of any of them.
 * The planner takes a text for one that a third of all have. Told how few will do, it would look for
 * them on one core.
 */
export async function foundPage<Row>(
  db: Kysely<Tables>,
  { table, columns, chosen, sort, behind, skip, limit, mostSorted = MOST_SORTED }: Page,
): Promise<{ rows: Row[]; matches: number }> {
  const sorted = sql.join(Object.keys(sort.columns).map((column) => sql.ref(column)))
  const { rows } = await sql<Row & { matches: string; is_row: boolean | null }>`
    WITH found AS MATERIALIZED (
      SELECT ${sorted} FROM ${sql.table(table)} WHERE ${chosen}
      LIMIT (SELECT ${mostSorted + 1}::bigint)
    )
    SELECT page.*, counted.matches
    FROM (SELECT count(*) AS matches FROM found) AS counted
    LEFT JOIN (
      SELECT true AS is_row, ${columns} FROM ${sql.table(table)}
      WHERE id = ANY(ARRAY(
        SELECT id FROM found WHERE ${behind}
        ORDER BY ${ordered(sort)} OFFSET ${skip} LIMIT ${limit}))
    ) AS page ON true
    ORDER BY ${ordered(sort)}`.execute(db)
  return {
    rows: rows.flatMap(({ is_row, matches, ...row }) => (is_row ? [row as Row] : [])),
    matches: Number(rows[0]?.matches),
  }
}

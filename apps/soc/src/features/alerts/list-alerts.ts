import type { Alert, AlertFilter, AlertListQuery } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, sql } from 'kysely'
import { foundPage, MOST_SORTED } from '../../db/found-page.ts'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { inTimeOrder, matching, spelled } from './alert-filter.ts'
import { ALERT_COLUMNS, type AlertRow, toAlert } from './alert-record.ts'
import { AT_MOST, alertTotal } from './alert-total.ts'
import { DEEP, idsOfPage } from './deep-page.ts'
import { expectedMatches } from './expected-matches.ts'

type Db = Kysely<Tables>

const SORTS: Record<AlertListQuery['sort'], Sort['columns']> = {
  created_at: { created_at: 'time', id: 'id' },
  updated_at: { updated_at: 'time', id: 'id' },
  last_seen_at: { last_seen_at: 'time', id: 'id' },
  severity: { severity_rank: 'number', created_at: 'time', id: 'id' },
  occurrence_count: { occurrence_count: 'number', created_at: 'time', id: 'id' },
}

// Named one by one to the query builder they take longer than the page needs to be written.
const COLUMNS = sql.raw(ALERT_COLUMNS.join(', '))

type Read = { rows: AlertRow[]; total: number }

/** With `cursor` the page begins behind it, whatever was inserted meanwhile; `skip` counts rows. */
export async function listAlerts(
  db: Db,
  asked: AlertListQuery,
  mostSorted = MOST_SORTED,
): Promise<ListOf<Alert>> {
  const query = await spelled(db, asked)
  const { sort: name, order } = query
  const sort: Sort = { name, order, columns: SORTS[name] }
  const { rows, total } = await (isSearch(query)
    ? searched(db, query, sort, mostSorted)
    : read(db, query, sort))
  return pageOf(query, {
    rows,
    total,
    toItem: toAlert,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
}

const isDeep = ({ skip, cursor }: AlertListQuery) => skip >= DEEP && cursor === undefined
const isSearch = (query: AlertListQuery) => query.q !== undefined && !isDeep(query)

async function searched(
  db: Db,
  query: AlertListQuery,
  sort: Sort,
  mostSorted: number,
): Promise<Read> {
  const { skip, limit, cursor, sort: _, order: __, ...filter } = query
  if ((await expectedMatches(db, filter)) > mostSorted) return read(db, query, sort)
  const { rows, matches } = await foundPage<AlertRow>(db, {
    ...{ table: 'alerts', columns: COLUMNS, sort, skip, limit: limit + 1, mostSorted },
    chosen: sql`${matching(filter)} AND ${inTimeOrder(filter)}`,
    behind: behind(sort, cursor),
  })
  const total = Math.min(AT_MOST, matches)
  return matches > mostSorted ? read(db, query, sort, total) : { rows, total }
}

/** In the order of an index where the filter has one. */
async function read(db: Db, query: AlertListQuery, sort: Sort, known?: number): Promise<Read> {
  const { skip, limit, cursor, sort: _, order: __, ...filter } = query
  const page = isDeep(query)
    ? sql`WHERE id = ANY(${await idsOfPage(db, { filter, sort, skip, limit: limit + 1 })})
        ORDER BY ${ordered(sort)}`
    : sql`WHERE ${matching(filter)} AND ${inTimeOrder(filter)} AND ${behind(sort, cursor)}
        ORDER BY ${ordered(sort)} OFFSET ${skip} LIMIT ${limit + 1}`
  // The total rides along: one round trip, and both are of the same moment.
  const total = known === undefined ? alertTotal(filter) : sql<string>`${known}::bigint`
  const { rows } = await sql<AlertRow & { total: string }>`
    SELECT ${COLUMNS}, ${total} AS total FROM alerts ${page}`.execute(db)
  return { rows, total: Number(rows[0]?.total ?? known ?? (await totalAlone(db, filter))) }
}

/** For a page behind the last alert, which has no row to carry it. */
async function totalAlone(db: Db, filter: AlertFilter): Promise<string | undefined> {
  const { rows } = await sql<{ total: string }>`SELECT ${alertTotal(filter)} AS total`.execute(db)
  return rows[0]?.total
}

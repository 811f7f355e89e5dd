import type { Alert, AlertFilter, AlertListQuery } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { inTimeOrder, matching } from './alert-filter.ts'
import { ALERT_COLUMNS, type AlertRow, toAlert } from './alert-record.ts'
import { alertTotal } from './alert-total.ts'
import { DEEP, idsOfPage } from './deep-page.ts'

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

/** With `cursor` the page begins behind it, whatever was inserted meanwhile; `skip` counts rows. */
export async function listAlerts(db: Db, query: AlertListQuery): Promise<ListOf<Alert>> {
  const { skip, limit, cursor, sort: name, order, ...filter } = query
  const sort: Sort = { name, order, columns: SORTS[name] }
  const isDeep = skip >= DEEP && cursor === undefined
  const page = isDeep
    ? sql`WHERE id = ANY(${await idsOfPage(db, { filter, sort, skip, limit: limit + 1 })})
        ORDER BY ${ordered(sort)}`
    : sql`WHERE ${matching(filter)} AND ${inTimeOrder(filter)} AND ${behind(sort, cursor)}
        ORDER BY ${ordered(sort)} OFFSET ${skip} LIMIT ${limit + 1}`
  // The total rides along: one round trip, and both are of the same moment.
  const { rows } = await sql<AlertRow & { total: string }>`
    SELECT ${COLUMNS}, ${alertTotal(filter)} AS total FROM alerts ${page}`.execute(db)
  const total = rows[0]?.total ?? (await totalAlone(db, filter))
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: toAlert,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
}

/** For a page behind the last alert, which has no row to carry it. */
async function totalAlone(db: Db, filter: AlertFilter): Promise<string | undefined> {
  const { rows } = await sql<{ total: string }>`SELECT ${alertTotal(filter)} AS total`.execute(db)
  return rows[0]?.total
}

import type { Alert, AlertFilter, AlertListQuery } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { inTimeOrder, matching } from './alert-filter.ts'
import { ALERT_COLUMNS, toAlert } from './alert-record.ts'
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

/** With `cursor` the page begins behind it, whatever was inserted meanwhile; `skip` counts rows. */
export async function listAlerts(db: Db, query: AlertListQuery): Promise<ListOf<Alert>> {
  const { skip, limit, cursor, sort: name, order, ...filter } = query
  const sort: Sort = { name, order, columns: SORTS[name] }
  // The total rides along: one round trip, and both are of the same moment.
  const listed = db
    .selectFrom('alerts')
    .select(ALERT_COLUMNS)
    .select(alertTotal(filter).as('total'))
    .orderBy(ordered(sort))
  const isDeep = skip >= DEEP && cursor === undefined
  const page = isDeep
    ? listed.where(
        'id',
        '=',
        sql<string>`ANY(${await idsOfPage(db, { filter, sort, skip, limit: limit + 1 })})`,
      )
    : listed
        .where(matching(filter))
        .where(inTimeOrder(filter))
        .where(behind(sort, cursor))
        .offset(skip)
        .limit(limit + 1)
  const rows = await page.execute()
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

import type { Demonstration } from '@manara/soc-contract/demonstration'
import { type Kysely, sql } from 'kysely'
import { DEMONSTRATION_DOMAIN } from '../../core/demonstration/marks.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

export const ABOUT_IT = `%.${DEMONSTRATION_DOMAIN}`

export const demonstrationRow = (db: Db) =>
  db.selectFrom('demonstration').selectAll().executeTakeFirst()

export const NOTHING: Demonstration = {
  ...{ status: 'none', step: null, events: 0, alerts: 0, begun_by: null, begun_at: null },
}

export async function readDemonstration(db: Db): Promise<Demonstration> {
  const row = await demonstrationRow(db)
  if (!row) return NOTHING
  const { status, step, events, begun_by, begun_at } = row
  const { alerts } = await db
    .selectFrom('alerts')
    .select(sql<number>`count(*)::int`.as('alerts'))
    .where(sql<boolean>`lower(host) LIKE ${ABOUT_IT}`)
    .executeTakeFirstOrThrow()
  return { status, step, events, alerts, begun_by, begun_at: begun_at.toISOString() }
}

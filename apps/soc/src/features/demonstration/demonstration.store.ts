import type { Demonstration } from '@manara/soc-contract/demonstration'
import { type Kysely, sql } from 'kysely'
import { isInvented } from '../../core/demonstration/marks.ts'
import type { Tables } from '../../db/tables.ts'
import { story } from './story.ts'

type Db = Kysely<Tables>

export const demonstrationRow = (db: Db) =>
  db.selectFrom('demonstration').selectAll().executeTakeFirst()

export const NOTHING: Demonstration = {
  ...{ status: 'none', step: null, progress: null, events: 0, alerts: 0 },
  ...{ begun_by: null, begun_at: null },
}

export async function readDemonstration(db: Db): Promise<Demonstration> {
  const row = await demonstrationRow(db)
  if (!row) return NOTHING
  const { status, step, events, begun_by, begun_at } = row
  const { alerts } = await db
    .selectFrom('alerts')
    .select(sql<number>`count(*)::int`.as('alerts'))
    .where(isInvented)
    .executeTakeFirstOrThrow()
  const progress = progressOf(row)
  return { status, step, progress, events, alerts, begun_by, begun_at: begun_at.toISOString() }
}

type Row = NonNullable<Awaited<ReturnType<typeof demonstrationRow>>>

/** Loading is as far as its events; removing takes the events first, and then what came of them. */
function progressOf(row: Row): number | null {
  const { status, step, events } = row
  if (status === 'loading') return events / story(row).length
  if (status === 'removing') return step === REMOVING_RECORDS ? 0.5 : 0
  return null
}

export const REMOVING_RECORDS = 'removing records'

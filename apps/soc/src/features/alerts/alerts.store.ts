import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type { Alert, AlertUpdate } from '@manara/soc-contract/alerts'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { isRecordId } from '../../db/record-id.ts'
import { storableJson } from '../../db/storable.ts'
import type { Tables } from '../../db/tables.ts'
import { ALERT_COLUMNS, toAlert } from './alert-record.ts'
import type { CountedAlert } from './domain/merge-equal.ts'
import { handledBy } from './handled-by.ts'

type Db = Kysely<Tables>

export async function alertById(db: Db, id: string): Promise<Alert> {
  const row = isRecordId(id)
    ? await db.selectFrom('alerts').select(ALERT_COLUMNS).where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('alert', id)
  return toAlert(row)
}

/** As it is, and nobody else changes it until the transaction ends. */
export async function lockAlert(tx: Db, id: string): Promise<Alert> {
  const row = isRecordId(id)
    ? await tx
        .selectFrom('alerts')
        .select(ALERT_COLUMNS)
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('alert', id)
  return toAlert(row)
}

/**
 * One statement, so that however many post the same at once there is one row and none is uncounted.
 * No two of them may be the same. Answers by hash.
 */
export async function insertOrCount(tx: Db, counted: CountedAlert[]) {
  const fresh = new Set<string>()
  const rows = await tx
    .insertInto('alerts')
    .values(
      counted.map(({ alert, hash, occurrences }) => {
        const id = randomUUIDv7()
        fresh.add(id)
        return {
          ...alert,
          id,
          raw: storableJson(alert.raw),
          dedup_hash: hash,
          occurrence_count: occurrences,
          first_seen_at: seen(alert.first_seen_at),
          last_seen_at: seen(alert.last_seen_at),
        }
      }),
    )
    .onConflict((conflict) =>
      conflict.column('dedup_hash').doUpdateSet({
        occurrence_count: sql`alerts.occurrence_count + excluded.occurrence_count`,
        status: sql`CASE WHEN ${isReopened} THEN 'new' ELSE alerts.status END`,
        resolution: sql`CASE WHEN NOT ${isReopened} THEN alerts.resolution END`,
        reopened_count: sql`alerts.reopened_count + (${isReopened})::integer`,
        // By the clock, not by the transaction: the statement that reopened it knows that it did.
        reopened_at: sql`CASE WHEN ${isReopened} THEN clock_timestamp() ELSE alerts.reopened_at END`,
        first_seen_at: sql`least(alerts.first_seen_at, excluded.first_seen_at)`,
        last_seen_at: sql`greatest(alerts.last_seen_at, excluded.last_seen_at)`,
        updated_at: sql`greatest(alerts.updated_at, excluded.updated_at)`,
      }),
    )
    .returning(ALERT_COLUMNS)
    .returning(
      sql<boolean>`coalesce(reopened_at >= statement_timestamp(), false)`.as('is_reopened'),
    )
    .execute()
  return new Map(
    rows.map(({ is_reopened, ...row }) => [
      row.dedup_hash,
      { row, isNew: fresh.has(row.id), isReopened: is_reopened },
    ]),
  )
}

const isReopened = sql<boolean>`(alerts.status IN ('resolved', 'closed', 'suppressed')
  AND excluded.status NOT IN ('resolved', 'closed', 'suppressed'))`

/** An event from a clock that runs ahead was seen now at the latest. */
const seen = (moment: Date | undefined) =>
  moment ? sql<Date>`least(${moment}::timestamptz, now())` : sql<Date>`now()`

type Settable = AlertUpdate & { case_id?: string | null }

export async function setAlert(
  { tx, principal }: Pick<ChangeContext, 'tx' | 'principal'>,
  id: string,
  fields: Settable,
): Promise<Alert> {
  const row = await tx
    .updateTable('alerts')
    .set({ ...fields, ...handledBy(principal, fields.status), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(ALERT_COLUMNS)
    .executeTakeFirstOrThrow()
  return toAlert(row)
}

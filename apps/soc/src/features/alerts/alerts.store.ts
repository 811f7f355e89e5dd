import { notFound } from '@manara/kit/errors'
import type { Alert, AlertUpdate } from '@manara/soc-contract/alerts'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { ALERT_COLUMNS, toAlert } from './alert-record.ts'
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

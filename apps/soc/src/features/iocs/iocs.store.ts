import { notFound } from '@manara/kit/errors'
import type { Ioc, IocUpdate } from '@manara/soc-contract/iocs'
import { type Kysely, sql } from 'kysely'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { IOC_COLUMNS, toIoc } from './ioc-record.ts'

type Db = Kysely<Tables>

export async function iocById(db: Db, id: string): Promise<Ioc> {
  const row = isRecordId(id)
    ? await db.selectFrom('iocs').select(IOC_COLUMNS).where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('indicator', id)
  return toIoc(row)
}

/** A new score decays from now on; what is said while a block stands outlives it. */
export async function setIoc(tx: Db, id: string, fields: IocUpdate): Promise<Ioc> {
  const { score, valid_until, revoked } = fields
  const scored_at = score === undefined ? undefined : new Date()
  const outliving = JSON.stringify({ score, scored_at, valid_until, revoked })
  await tx
    .updateTable('iocs')
    .set({
      ...fields,
      ...(fields.score === undefined ? {} : { scored_at: sql<Date>`now()` }),
      before_block: sql<string>`before_block || ${outliving}::jsonb`,
      updated_at: sql<Date>`now()`,
    })
    .set(sql.ref('changed_xid'), sql`pg_current_xact_id()`)
    .where('id', '=', id)
    .execute()
  return iocById(tx, id)
}

import { randomUUIDv7 } from 'node:crypto'
import { notFound } from '@manara/kit/errors'
import type { Endpoint, EndpointAction, Isolation } from '@manara/soc-contract/edr'
import { type Insertable, type Kysely, sql } from 'kysely'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { toAction } from './action-record.ts'
import { type EndpointRow, toEndpoint } from './endpoint-record.ts'

type Db = Kysely<Tables>

export async function endpointById(db: Db, id: string): Promise<Endpoint> {
  const row = isRecordId(id)
    ? await db.selectFrom('edr_endpoints').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('endpoint', id)
  return toEndpoint(row)
}

/**
 * By id or, as people and playbooks say it, by host name. A machine that was set up anew leaves its
 * old agent behind: of several it is the one that is online, then one with an agent, then the one
 * seen last.
 */
const newestNamed = (db: Db, idOrName: string) =>
  db
    .selectFrom('edr_endpoints')
    .selectAll()
    .where(
      isRecordId(idOrName)
        ? sql<boolean>`id = ${idOrName}`
        : sql<boolean>`lower(hostname) = lower(${idOrName})`,
    )
    .orderBy(sql`status = 'online'`, 'desc')
    .orderBy(sql`external_id IS NOT NULL`, 'desc')
    .orderBy('last_seen_at', 'desc')
    .limit(1)

export const endpointNamed = (db: Db, idOrName: string): Promise<EndpointRow | undefined> =>
  newestNamed(db, idOrName).executeTakeFirst()

export async function lockEndpoint(tx: Db, idOrName: string): Promise<EndpointRow> {
  const row = await newestNamed(tx, idOrName).forUpdate().executeTakeFirst()
  if (!row) throw notFound('endpoint', idOrName)
  return row
}

export async function setIsolation(tx: Db, id: string, isolation: Isolation): Promise<Endpoint> {
  const row = await tx
    .updateTable('edr_endpoints')
    .set({ isolation })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toEndpoint(row)
}

type NewAction = Omit<Insertable<Tables['edr_actions']>, 'action_id' | 'endpoint_id'>

export async function insertAction(
  tx: Db,
  endpoint: Pick<EndpointRow, 'id' | 'hostname'>,
  action: NewAction,
): Promise<EndpointAction> {
  const row = await tx
    .insertInto('edr_actions')
    .values({ ...action, action_id: randomUUIDv7(), endpoint_id: endpoint.id })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toAction({ ...row, hostname: endpoint.hostname })
}

/** Receipts with the name of their endpoint. */
export function actionsOf(db: Db) {
  return db
    .selectFrom('edr_actions')
    .innerJoin('edr_endpoints', 'edr_endpoints.id', 'edr_actions.endpoint_id')
    .selectAll('edr_actions')
    .select('edr_endpoints.hostname')
}

export async function actionById(db: Db, id: string): Promise<EndpointAction> {
  const row = isRecordId(id)
    ? await actionsOf(db).where('action_id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('action', id)
  return toAction(row)
}

import { randomUUIDv7 } from 'node:crypto'
import { conflict, invalid, notFound } from '@manara/kit/errors'
import type { VendorKey, VendorKeyCreate, VendorKeyListQuery } from '@manara/soc-contract/firmware'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { readPublicKey } from './domain/check-signature.ts'

type Db = Kysely<Tables>

export async function addVendorKey(change: ChangeContext, body: VendorKeyCreate) {
  const read = readPublicKey(body.public_key)
  if (typeof read === 'string') throw invalid('public_key', read)
  const row = await change.tx
    .insertInto('firmware_keys')
    .values({ ...body, ...read, id: randomUUIDv7(), created_by: change.principal.username })
    .onConflict((taken) => taken.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict(`public_key: ${body.vendor} has this key already`)
  const key = toVendorKey(row)
  await change.audit({
    action: 'firmware_key.create',
    target: `firmware_key:${key.id}`,
    after: key,
  })
  await change.publish('firmware.key_added', key)
  return key
}

/** What it has signed is shown as signed by a revoked key from now on; it is never taken back. */
export async function revokeVendorKey(change: ChangeContext, id: string): Promise<VendorKey> {
  const before = await vendorKeyById(change.tx, id)
  if (before.revoked_at !== null) return before
  const row = await change.tx
    .updateTable('firmware_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = toVendorKey(row)
  const target = `firmware_key:${after.id}`
  await change.audit({ action: 'firmware_key.revoke', target, before, after })
  await change.publish('firmware.key_revoked', after)
  return after
}

async function vendorKeyById(db: Db, id: string): Promise<VendorKey> {
  const one = db.selectFrom('firmware_keys').selectAll().where('id', '=', id).forUpdate()
  const row = isRecordId(id) ? await one.executeTakeFirst() : undefined
  if (!row) throw notFound('key', id)
  return toVendorKey(row)
}

export function listVendorKeys(db: Db, query: VendorKeyListQuery) {
  const { vendor } = query
  const listed = db
    .selectFrom('firmware_keys')
    .selectAll()
    .where(
      vendor === undefined ? sql<boolean>`true` : sql<boolean>`lower(vendor) = lower(${vendor})`,
    )
  return readPage(query, inTime(query.sort, query.order), listed, toVendorKey)
}

const toVendorKey = (row: Selectable<Tables['firmware_keys']>): VendorKey => ({
  ...row,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

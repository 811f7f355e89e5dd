import { notFound } from '@manara/kit/errors'
import type { Device } from '@manara/soc-contract/cps'
import type { Kysely, Updateable } from 'kysely'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { type CertificateRow, type DeviceRow, toDevice } from './device-record.ts'

type Db = Kysely<Tables>

export async function deviceById(db: Db, id: string): Promise<Device> {
  const row = isRecordId(id)
    ? await db.selectFrom('cps_devices').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound('device', id)
  return withCertificate(db, row)
}

/** Nobody else changes it until the transaction ends. */
export async function lockDevice(tx: Db, id: string): Promise<DeviceRow> {
  const row = isRecordId(id)
    ? await tx
        .selectFrom('cps_devices')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('device', id)
  return row
}

export async function changeDevice(
  tx: Db,
  id: string,
  change: Updateable<Tables['cps_devices']>,
): Promise<Device> {
  const row = await tx
    .updateTable('cps_devices')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return withCertificate(tx, row)
}

/** The newest certificate of each: the one it should be using. */
export async function certificatesOf(
  db: Db,
  deviceIds: string[],
): Promise<Map<string, CertificateRow>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('cps_certificates')
    .selectAll()
    .distinctOn('device_id')
    .where('device_id', 'in', deviceIds)
    .orderBy('device_id')
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.device_id, row]))
}

const withCertificate = async (db: Db, row: DeviceRow): Promise<Device> =>
  toDevice(row, (await certificatesOf(db, [row.id])).get(row.id))

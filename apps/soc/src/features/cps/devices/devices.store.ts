import { notFound } from '@manara/kit/errors'
import type { Device } from '@manara/soc-contract/cps'
import { type Kysely, sql, type Updateable } from 'kysely'
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

/** A device that can answer is first asked anywhere within its interval; others have no time. */
export async function planFirst(tx: Db, id: string): Promise<void> {
  await sql`
    UPDATE cps_devices
    SET next_attestation_at = now() + random() * attest_every_s * interval '1 second'
    WHERE id = ${id} AND next_attestation_at IS NULL AND attest_every_s > 0
      AND status <> 'revoked' AND EXISTS (SELECT FROM cps_certificates AS own
        WHERE own.device_id = cps_devices.id AND own.status = 'active')`.execute(tx)
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

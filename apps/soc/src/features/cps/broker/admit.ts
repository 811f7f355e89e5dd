import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import type { Admitted, BrokerSession } from '../../../ports/device-broker.ts'

/** The device behind a certificate that is good now. Asked at every connection, of the database. */
export async function admit(
  db: Kysely<Tables>,
  fingerprint: string,
  now: number,
): Promise<Admitted | undefined> {
  const row = await db
    .selectFrom('cps_certificates as own')
    .innerJoin('cps_devices', 'cps_devices.id', 'own.device_id')
    .select(['cps_devices.id', 'cps_devices.sparkplug_node'])
    .where('own.fingerprint', '=', fingerprint)
    .where('own.status', '=', 'active')
    .where('own.not_after', '>', new Date(now))
    .where('cps_devices.status', '<>', 'revoked')
    .executeTakeFirst()
  return row && { deviceId: row.id, sparkplugNode: row.sparkplug_node }
}

/** A device that uses its new certificate needs the old ones no more. */
export async function supersedeOlder(
  db: Kysely<Tables>,
  { deviceId, fingerprint }: Pick<BrokerSession, 'deviceId' | 'fingerprint'>,
  now: number,
): Promise<void> {
  await db
    .updateTable('cps_certificates')
    .set({ status: 'revoked', reason: 'superseded', revoked_at: new Date(now) })
    .where('device_id', '=', deviceId)
    .where('status', '=', 'active')
    .where(
      sql<boolean>`created_at < (SELECT used.created_at FROM cps_certificates AS used
        WHERE used.fingerprint = ${fingerprint})`,
    )
    .execute()
}

/** Of these certificates, those that are no longer good. */
export async function noLongerGood(
  db: Kysely<Tables>,
  fingerprints: string[],
  now: number,
): Promise<string[]> {
  if (fingerprints.length === 0) return []
  const rows = await db
    .selectFrom('cps_certificates')
    .select('fingerprint')
    .where('fingerprint', 'in', fingerprints)
    .where((where) =>
      where.or([where('status', '=', 'revoked'), where('not_after', '<=', new Date(now))]),
    )
    .execute()
  return rows.map((row) => row.fingerprint)
}

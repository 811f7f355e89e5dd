import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { toAttestation } from '../attestation/attestation-record.ts'
import { toDevice } from './device-record.ts'
import { certificatesOf } from './devices.store.ts'

const MOST_DEVICES = 200
const MOST_ATTESTATIONS = 500

/** The devices of sites, the least trusted first, and what they attested or failed to in a time. */
export async function devicesAt(
  db: Kysely<Tables>,
  siteIds: string[],
  time: { from: Date; to: Date },
) {
  if (siteIds.length === 0) return { devices: [], attestations: [] }
  const rows = await db
    .selectFrom('cps_devices')
    .selectAll()
    .where('site_id', 'in', siteIds)
    .orderBy(sql`array_position(ARRAY['untrusted', 'suspect', 'unknown', 'trusted'], trust_status)`)
    .orderBy('id')
    .limit(MOST_DEVICES)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return { devices: [], attestations: [] }
  const certificates = await certificatesOf(db, ids)
  const attested = await db
    .selectFrom('cps_attestations')
    .selectAll()
    .where('device_id', 'in', ids)
    .where('requested_at', '>=', time.from)
    .where('requested_at', '<=', time.to)
    .orderBy('requested_at', 'desc')
    .limit(MOST_ATTESTATIONS)
    .execute()
  return {
    devices: rows.map((row) => toDevice(row, certificates.get(row.id))),
    attestations: attested.map(toAttestation),
  }
}

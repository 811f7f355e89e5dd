import type { Firmware } from '@manara/soc-contract/firmware'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { signatureOf } from './signing-key.ts'

const COLUMNS = [
  'id',
  'vendor',
  'product',
  'version',
  'sha256',
  'status',
  'released_at',
  'release_notes',
  'signature',
  'key_id',
  'origin',
  'created_by',
  'created_at',
  'updated_at',
] as const

/** How many devices run it; compared as the index of devices is sorted, which else is of no use. */
export const DEVICE_COUNT = sql<number>`(SELECT count(*)::integer FROM cps_devices AS device
  WHERE device.firmware_sha256 = firmware.sha256 COLLATE "default")`

/** With what is known around it. */
export const FIRMWARE_COLUMNS = [
  ...COLUMNS,
  sql<string | null>`firmware_latest(firmware)`.as('latest_version'),
  sql<boolean>`firmware_is_outdated(firmware)`.as('is_outdated'),
  sql<number>`(SELECT count(*)::integer FROM firmware_components AS part
    WHERE part.firmware_id = firmware.id)`.as('component_count'),
  DEVICE_COUNT.as('device_count'),
] as const

export type FirmwareRow = Pick<Selectable<Tables['firmware']>, (typeof COLUMNS)[number]> &
  Pick<Firmware, 'latest_version' | 'is_outdated' | 'component_count' | 'device_count'>

/** Signatures are checked here, each time: what the database holds may have been changed. */
export async function toRecords(db: Kysely<Tables>): Promise<(row: FirmwareRow) => Firmware> {
  const keys = await db.selectFrom('firmware_keys').selectAll().execute()
  const byId = new Map(keys.map((key) => [key.id, key]))
  return (row) => toFirmware(row, byId.get(row.key_id ?? ''))
}

const toFirmware = (
  { key_id: _key, ...row }: FirmwareRow,
  key: Selectable<Tables['firmware_keys']> | undefined,
): Firmware => ({
  ...row,
  released_at: row.released_at?.toISOString() ?? null,
  signature: signatureOf(row, key),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

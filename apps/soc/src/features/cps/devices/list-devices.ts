import type { Device, DeviceListQuery } from '@manara/soc-contract/cps'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inTime } from '../../../db/keyset.ts'
import { readPage } from '../../../db/page.ts'
import type { Tables } from '../../../db/tables.ts'
import { toDevice } from './device-record.ts'
import { certificatesOf } from './devices.store.ts'

export async function listDevices(
  db: Kysely<Tables>,
  query: DeviceListQuery,
): Promise<ListOf<Device>> {
  const listed = db
    .selectFrom('cps_devices')
    .selectAll()
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  const page = await readPage(query, inTime(query.sort, query.order), listed, (row) => row)
  const certificates = await certificatesOf(
    db,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map((row) => toDevice(row, certificates.get(row.id))) }
}

function* conditionsOf(query: DeviceListQuery): Iterable<RawBuilder<boolean>> {
  const { status, trust_status, device_type, vendor, site_id, zone, managed, q } = query
  if (status !== undefined) yield sql`status = ${status}`
  if (trust_status !== undefined) yield sql`trust_status = ${trust_status}`
  if (device_type !== undefined) yield sql`lower(device_type) = lower(${device_type})`
  if (vendor !== undefined) yield sql`lower(vendor) = lower(${vendor})`
  if (site_id !== undefined) yield sql`site_id = ${site_id}`
  if (zone !== undefined) yield sql`zone = ${zone}`
  if (managed !== undefined) yield sql`managed = ${managed === 'true'}`
  if (query.firmware_sha256 !== undefined) yield sql`firmware_sha256 = ${query.firmware_sha256}`
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (q !== undefined) {
    yield sql`position(lower(${q}) IN lower(concat_ws(' ', name, device_type, vendor, model, zone,
      hostname, firmware_version, array_to_string(addresses, ' '),
      array_to_string(mac_addresses, ' ')))) > 0`
  }
}

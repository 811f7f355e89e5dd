import { notFound } from '@manara/kit/errors'
import type { Firmware, FirmwareListQuery, FirmwareStatus } from '@manara/soc-contract/firmware'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { FIRMWARE_COLUMNS, toRecords } from './firmware-record.ts'

type Db = Kysely<Tables>

export async function firmwareById(db: Db, id: string): Promise<Firmware> {
  const one = db.selectFrom('firmware').select(FIRMWARE_COLUMNS).where('id', '=', id)
  const row = isRecordId(id) ? await one.executeTakeFirst() : undefined
  if (!row) throw notFound('firmware', id)
  return (await toRecords(db))(row)
}

export async function listFirmware(db: Db, query: FirmwareListQuery): Promise<ListOf<Firmware>> {
  const listed = db
    .selectFrom('firmware')
    .select(FIRMWARE_COLUMNS)
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime(query.sort, query.order), listed, await toRecords(db))
}

function* conditionsOf(query: FirmwareListQuery): Iterable<RawBuilder<boolean>> {
  const { vendor, product, version, sha256, status, outdated, component, q } = query
  if (vendor !== undefined) yield sql`lower(vendor) = lower(${vendor})`
  if (product !== undefined) yield sql`lower(product) = lower(${product})`
  if (version !== undefined) yield sql`version = ${version}`
  if (sha256 !== undefined) yield sql`sha256 = ${sha256}`
  if (status !== undefined) yield sql`status = ${status}`
  if (outdated !== undefined) yield sql`firmware_is_outdated(firmware) = ${outdated}`
  if (component !== undefined) {
    yield sql`EXISTS (SELECT FROM firmware_components AS part
      WHERE part.firmware_id = firmware.id AND part.name_key = lower(${component}))`
  }
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (q !== undefined) {
    yield sql`strpos(lower(concat_ws(' ', vendor, product, version, sha256, release_notes)),
      lower(${q})) > 0`
  }
}

/** What is known of a hash that a device reports. */
export type KnownFirmware = {
  id: string
  vendor: string
  product: string
  version: string
  status: FirmwareStatus
  is_outdated: boolean
  latest_version: string | null
}

/** Null for a hash that nobody vouches for. */
export async function firmwareOf(db: Db, sha256: string): Promise<KnownFirmware | null> {
  const row = await db
    .selectFrom('firmware')
    .select(['id', 'vendor', 'product', 'version', 'status'])
    .select(sql<boolean>`firmware_is_outdated(firmware)`.as('is_outdated'))
    .select(sql<string | null>`firmware_latest(firmware)`.as('latest_version'))
    .where('sha256', '=', sha256.toLowerCase())
    .executeTakeFirst()
  return row ?? null
}

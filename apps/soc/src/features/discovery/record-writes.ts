import { randomUUIDv7 } from 'node:crypto'
import { AlertCreate } from '@manara/soc-contract/alerts'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { isUnusual, type KnownWriter } from './domain/is-unusual.ts'
import { placesOf } from './networks.store.ts'
import type { NotedWrite } from './note-sightings.ts'
import type { DeviceRow, RaiseAlert } from './record-devices.ts'

type Db = Kysely<Tables>

const MOST_WRITERS = 1_000
const ALERT_GAP_MS = 3_600_000

/** Who has written to which device; from an unusual place it is an alert, an hour apart. */
export async function recordWrites(
  raiseAlert: RaiseAlert,
  change: ChangeContext,
  noted: NotedWrite[],
) {
  if (noted.length === 0) return
  const { tx } = change
  const devices = await tx
    .selectFrom('cps_devices')
    .selectAll()
    .where(sql<boolean>`addresses && ${noted.map(({ to }) => to)}::text[]`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const places = await placesOf(tx, [...new Set(noted.map(({ from }) => from))])
  for (const write of noted.toSorted((a, b) => a.firstAt - b.firstAt)) {
    const device = devices.find(({ addresses }) => addresses.includes(write.to))
    if (!device) continue
    const writers = await writersOf(tx, device.id)
    if (writers.length >= MOST_WRITERS) continue
    const place =
      device.site_id !== null && device.zone !== null
        ? { site_id: device.site_id, zone: device.zone }
        : undefined
    const unusual = isUnusual(write, writers, {
      device: place,
      writer: places.get(write.from),
      isSameSubnet: (address) => subnetOf(address) === subnetOf(write.from),
    })
    const alertedAt = await storeWriter(tx, device.id, write, !unusual)
    const isDue = alertedAt === null || write.lastAt - alertedAt.getTime() >= ALERT_GAP_MS
    if (!unusual || !isDue) continue
    await raiseAlert(change, unusualWriteAlert(device, write), write.count)
    await sql`UPDATE discovery_writers SET alerted_at = ${new Date(write.lastAt)}
      WHERE device_id = ${device.id} AND address = ${write.from}
        AND protocol = ${write.protocol}`.execute(tx)
  }
}

/** The same as the zone where none is known: 256 addresses, or a link of IPv6. */
const subnetOf = (address: string) =>
  address.includes(':') ? address.split(':').slice(0, 4).join(':') : address.replace(/\.\d+$/, '')

async function writersOf(tx: Db, deviceId: string): Promise<KnownWriter[]> {
  const rows = await tx
    .selectFrom('discovery_writers')
    .select(['address', 'protocol', 'writes', 'is_usual', 'first_at'])
    .where('device_id', '=', deviceId)
    .limit(MOST_WRITERS)
    .execute()
  return rows.map((row) => ({
    ...row,
    writes: Number(row.writes),
    first_at: row.first_at.getTime(),
  }))
}

/** When it was last an alert. */
async function storeWriter(tx: Db, deviceId: string, write: NotedWrite, isUsual: boolean) {
  const { rows } = await sql<{ alerted_at: Date | null }>`
    INSERT INTO discovery_writers AS known (id, device_id, address, protocol, writes, is_usual,
      first_at, last_at, last_command)
    VALUES (${randomUUIDv7()}, ${deviceId}, ${write.from}, ${write.protocol}, ${write.count},
      ${isUsual}, ${new Date(write.firstAt)}, ${new Date(write.lastAt)}, ${write.command})
    ON CONFLICT (device_id, address, protocol) DO UPDATE SET
      writes = known.writes + excluded.writes,
      first_at = least(known.first_at, excluded.first_at),
      last_at = greatest(known.last_at, excluded.last_at),
      last_command = excluded.last_command
    RETURNING alerted_at`.execute(tx)
  return rows[0]?.alerted_at ?? null
}

function unusualWriteAlert(device: DeviceRow, write: NotedWrite): AlertCreate {
  const { name, site_id, zone } = device
  const alert = AlertCreate.parse({
    title: `Write command to ${name.slice(0, 200)} from an unusual place`,
    description: `${write.from} sent ${write.command} (${write.protocol}) to ${write.to}${zone ? ` in zone ${zone}` : ''}, ${write.count === 1 ? 'once' : `${write.count} times`}. It is not one of those who usually do. If it may, say so at /discovery/writers.`,
    source: 'discovery',
    source_ref: write.logId.slice(0, 500),
    severity: 'high',
    host: name.slice(0, 255),
    site_id,
    iocs: [write.from],
    tags: ['cps', 'unusual-write'],
    mitre_techniques: ['T0855'],
  })
  return { ...alert, first_seen_at: new Date(write.firstAt), last_seen_at: new Date(write.lastAt) }
}

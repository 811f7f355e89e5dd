import { randomUUIDv7 } from 'node:crypto'
import { AlertCreate } from '@manara/soc-contract/alerts'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { type Place, placesOf } from './networks.store.ts'
import type { NotedDevice } from './note-sightings.ts'

type Db = Kysely<Tables>
export type DeviceRow = Selectable<Tables['cps_devices']>
export type RaiseAlert = (
  change: ChangeContext,
  alert: AlertCreate,
  occurrences?: number,
) => Promise<unknown>

/** Beyond this many that nobody enrolled, a network that makes up names has been heard. */
const MOST_UNMANAGED = 20_000
const MOST_OF_ONE = 20

/** Each machine as the device it is, or as a new one; a new one in a zone is an alert. */
export async function recordDevices(
  raiseAlert: RaiseAlert,
  change: ChangeContext,
  noted: NotedDevice[],
): Promise<{ refused: number }> {
  if (noted.length === 0) return { refused: 0 }
  const { tx } = change
  const addresses = noted.flatMap(({ address }) => address ?? [])
  const places = await placesOf(tx, addresses)
  const known = await knownDevices(
    tx,
    addresses,
    noted.flatMap(({ mac }) => mac ?? []),
  )
  let room = MOST_UNMANAGED - (await countUnmanaged(tx))
  let refused = 0
  for (const one of noted) {
    const place = places.get(one.address ?? '')
    const device = deviceOf(known, one)
    if (device) Object.assign(device, await refresh(tx, device, one, place))
    else if (one.isClient && !place) continue
    else if (room <= 0) refused += 1
    else {
      room -= 1
      known.push(await discover(raiseAlert, change, one, place))
    }
  }
  return { refused }
}

async function discover(
  raiseAlert: RaiseAlert,
  change: ChangeContext,
  seen: NotedDevice,
  place: Place | undefined,
): Promise<DeviceRow> {
  const added = await addDevice(change.tx, seen, place)
  await change.publish('device.discovered', shown(added))
  const target = `device:${added.id}`
  await change.audit({ action: 'device.discover', target, after: shown(added) })
  if (place && !place.isQuiet) await raiseAlert(change, newDeviceAlert(added, seen, place))
  return added
}

const knownDevices = (tx: Db, addresses: string[], macs: string[]): Promise<DeviceRow[]> =>
  tx
    .selectFrom('cps_devices')
    .selectAll()
    .where(sql<boolean>`addresses && ${addresses}::text[] OR mac_addresses && ${macs}::text[]`)
    .orderBy('managed', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()

/** The hardware says who it is; an address may belong to somebody else tomorrow. */
function deviceOf(known: DeviceRow[], { mac, address }: NotedDevice): DeviceRow | undefined {
  const byMac = mac === null ? undefined : known.find((one) => one.mac_addresses.includes(mac))
  if (byMac) return byMac
  return known.find(
    (one) =>
      address !== null &&
      one.addresses.includes(address) &&
      // Another machine has got the address.
      (mac === null || one.mac_addresses.length === 0),
  )
}

async function countUnmanaged(tx: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM cps_devices WHERE NOT managed`.execute(tx)
  return rows[0]?.count ?? 0
}

/** What is known stays; what was not is added. An address that has moved is taken from its last owner. */
async function refresh(
  tx: Db,
  device: DeviceRow,
  seen: NotedDevice,
  place: Place | undefined,
): Promise<DeviceRow> {
  const { address, mac } = seen
  if (address !== null && mac !== null) {
    await sql`UPDATE cps_devices SET addresses = array_remove(addresses, ${address})
      WHERE addresses @> ARRAY[${address}] AND id <> ${device.id} AND NOT managed`.execute(tx)
  }
  const isGuess = /-client$|^host$/.test(device.device_type)
  return tx
    .updateTable('cps_devices')
    .set({
      addresses: withOne(device.addresses, address),
      mac_addresses: withOne(device.mac_addresses, mac),
      protocols: withOne(device.protocols, seen.protocol),
      hostname: device.hostname ?? seen.hostname,
      vendor: device.vendor ?? seen.vendor,
      model: device.model ?? seen.model,
      firmware_version: device.firmware_version ?? seen.firmware_version,
      device_type: isGuess && !seen.isClient ? seen.device_type : device.device_type,
      ...(device.zone === null && place
        ? { site_id: device.site_id ?? place.site_id, zone: place.zone }
        : {}),
      last_seen_at: sql<Date>`greatest(last_seen_at, ${new Date(seen.lastAt)})`,
    })
    .where('id', '=', device.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const withOne = (known: string[], one: string | null) =>
  one === null || known.includes(one) ? known : [...known, one].slice(-MOST_OF_ONE)

async function addDevice(tx: Db, one: NotedDevice, place: Place | undefined): Promise<DeviceRow> {
  const { address, mac, hostname, protocol, device_type, vendor, model, firmware_version } = one
  return tx
    .insertInto('cps_devices')
    .values({
      id: randomUUIDv7(),
      name: hostname ?? `${device_type} ${address ?? mac}`,
      ...{ device_type, vendor, model, firmware_version, hostname },
      managed: false,
      site_id: place?.site_id ?? null,
      zone: place?.zone ?? null,
      purdue_level: place?.purdue_level ?? null,
      addresses: address === null ? [] : [address],
      mac_addresses: mac === null ? [] : [mac],
      protocols: [protocol],
      discovery_key: mac === null ? `ip:${address}` : `mac:${mac}`,
      attest_every_s: 0,
      last_seen_at: new Date(one.lastAt),
    })
    .onConflict((other) =>
      other.column('discovery_key').doUpdateSet({ last_seen_at: new Date(one.lastAt) }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

function shown(device: DeviceRow) {
  const { id, name, device_type, site_id, zone, addresses, mac_addresses, protocols } = device
  const where = { site_id, zone, addresses, mac_addresses }
  return { id, name, device_type, ...where, protocols, managed: false }
}

function newDeviceAlert(device: DeviceRow, seen: NotedDevice, { site_id, zone }: Place) {
  const { name, addresses, mac_addresses, protocols } = device
  const at = [...addresses, ...mac_addresses].join(', ')
  const alert = AlertCreate.parse({
    title: `New device ${name.slice(0, 200)} in zone ${zone.slice(0, 100)}`,
    description: `${at} was never seen before and speaks ${protocols.join(', ')}. Nobody has enrolled it. Find out whose it is, or take it off the network.`,
    source: 'discovery',
    source_ref: seen.logId.slice(0, 500),
    severity: 'medium',
    host: name.slice(0, 255),
    site_id,
    iocs: addresses,
    tags: ['cps', 'new-device'],
    mitre_techniques: ['T0864'],
  })
  return { ...alert, first_seen_at: new Date(seen.firstAt), last_seen_at: new Date(seen.lastAt) }
}

import { randomUUIDv7 } from 'node:crypto'
import { conflict, invalid, notFound } from '@manara/kit/errors'
import type {
  ZoneNetwork,
  ZoneNetworkCreate,
  ZoneNetworkListQuery,
} from '@manara/soc-contract/discovery'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

/** Where an address is; `isQuiet` while the zone is being learnt. */
export type Place = {
  site_id: string
  zone: string
  purdue_level: number | null
  isQuiet: boolean
}

/** By the narrowest network that has it, else by devices of the same subnet that were all placed alike. */
export async function placesOf(tx: Db, addresses: string[]): Promise<Map<string, Place>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<Place & { address: string }>`
    SELECT asked.address, coalesce(own.site_id, near.site_id) AS site_id,
      coalesce(own.zone, near.zone) AS zone, own.purdue_level,
      coalesce(own.quiet_until > now(), false) AS "isQuiet"
    FROM unnest(${addresses}::text[]) AS asked(address)
    LEFT JOIN LATERAL (
      SELECT site_id, zone, purdue_level, quiet_until FROM discovery_networks
      WHERE network >>= asked.address::inet ORDER BY masklen(network) DESC LIMIT 1) AS own ON true
    LEFT JOIN LATERAL (
      SELECT min(site_id) AS site_id, min(zone) AS zone FROM cps_devices AS device
      WHERE own.zone IS NULL AND device.zone IS NOT NULL AND device.site_id IS NOT NULL
        AND EXISTS (SELECT FROM unnest(device.addresses) AS near
          WHERE ${inetOf('near')} <<= ${subnetOf(sql.ref('asked.address'))})
      HAVING count(DISTINCT (device.site_id, device.zone)) = 1) AS near ON true
    WHERE coalesce(own.zone, near.zone) IS NOT NULL`.execute(tx)
  return new Map(rows.map(({ address, ...place }) => [address, place]))
}

/** Some were kept with the interface behind them, which is no address to a database. */
const inetOf = (address: string) => sql`split_part(${sql.ref(address)}, '%', 1)::inet`

/** What most networks are: 256 of IPv4, a link of IPv6. */
const subnetOf = (address: ReturnType<typeof sql.ref>) =>
  sql`network(set_masklen(${address}::inet, CASE family(${address}::inet) WHEN 4 THEN 24 ELSE 64 END))`

export async function addNetwork(
  change: ChangeContext,
  { quiet_hours, ...body }: ZoneNetworkCreate,
  now: number,
): Promise<ZoneNetwork> {
  const { tx } = change
  const site = isRecordId(body.site_id)
    ? await tx
        .selectFrom('sites')
        .select('id')
        .where('id', '=', body.site_id)
        .forKeyShare()
        .executeTakeFirst()
    : undefined
  if (!site) throw invalid('site_id', `there is no site ${body.site_id}`)
  const row = await tx
    .insertInto('discovery_networks')
    .values({
      ...body,
      id: randomUUIDv7(),
      // The bits of the machine itself do not count.
      network: sql<string>`network(${body.network}::inet)`,
      quiet_until: new Date(now + quiet_hours * 3_600_000),
      created_by: change.principal.username,
    })
    .onConflict((taken) => taken.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict(`network: ${body.network} is a zone already`)
  const added = toNetwork(row)
  await placeKnown(tx, added)
  const target = `discovery_network:${added.id}`
  await change.audit({ action: 'discovery_network.create', target, after: added })
  await change.publish('device.network_added', added)
  return added
}

/** Devices that only the logs have shown; whoever was placed by a person stays. */
async function placeKnown(tx: Db, { network, site_id, zone, purdue_level }: ZoneNetwork) {
  await sql`
    UPDATE cps_devices SET site_id = ${site_id}, zone = ${zone},
      purdue_level = coalesce(purdue_level, ${purdue_level}::real), updated_at = now()
    WHERE NOT managed AND zone IS NULL AND EXISTS (
      SELECT FROM unnest(addresses) AS address
      WHERE ${inetOf('address')} <<= ${network}::cidr)`.execute(tx)
}

export async function removeNetwork(change: ChangeContext, asked: string) {
  const row = isRecordId(asked)
    ? await change.tx
        .deleteFrom('discovery_networks')
        .where('id', '=', asked)
        .returningAll()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('network', asked)
  const { id } = row
  const target = `discovery_network:${id}`
  await change.audit({ action: 'discovery_network.delete', target, before: toNetwork(row) })
  await change.publish('device.network_removed', { id })
  return { deleted: true as const, id }
}

export function listNetworks(db: Db, query: ZoneNetworkListQuery) {
  const { site_id } = query
  const listed = db
    .selectFrom('discovery_networks')
    .selectAll()
    .where(site_id === undefined ? sql<boolean>`true` : sql<boolean>`site_id = ${site_id}`)
  return readPage(query, inTime(query.sort, query.order), listed, toNetwork)
}

const toNetwork = (row: Selectable<Tables['discovery_networks']>): ZoneNetwork => ({
  ...row,
  quiet_until: row.quiet_until.toISOString(),
  created_at: row.created_at.toISOString(),
})

import type { Endpoint } from '@manara/soc-contract/edr'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { endpointById, lockEndpoint } from './edr.store.ts'

const SILENT_AFTER = sql`interval '1 day'`

/** Says at which site an endpoint stands; `holdSite` keeps the site from being removed meanwhile. */
export async function placeEndpoint(
  change: ChangeContext,
  id: string,
  siteId: string | null,
  holdSite: (tx: ChangeContext['tx'], siteId: string) => Promise<unknown>,
): Promise<Endpoint> {
  const { tx } = change
  const before = await endpointById(tx, id)
  if (siteId !== null) await holdSite(tx, siteId)
  await lockEndpoint(tx, before.id)
  await tx
    .updateTable('edr_endpoints')
    .set({ site_id: siteId })
    .where('id', '=', before.id)
    .execute()
  const after = await endpointById(tx, before.id)
  await change.audit({ action: 'endpoint.place', target: `endpoint:${after.id}`, before, after })
  await change.publish('endpoint.updated', after)
  return after
}

export async function endpointNamesAt(db: Kysely<Tables>, siteId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('edr_endpoints')
    .select('hostname')
    .where('site_id', '=', siteId)
    .orderBy('hostname')
    .execute()
  return rows.map(({ hostname }) => hostname)
}

/** How many stand at each of the sites, and how many of those were not heard of for a day. */
export async function countEndpointsAt(db: Kysely<Tables>, siteIds: string[]) {
  const { rows } = await sql<{ site_id: string; total: number; silent: number; last: Date }>`
    SELECT site_id, count(*)::int AS total,
      (count(*) FILTER (WHERE last_seen_at < now() - ${SILENT_AFTER}))::int AS silent,
      max(last_seen_at) AS last
    FROM edr_endpoints WHERE site_id = ANY(${siteIds}) GROUP BY site_id`.execute(db)
  return rows.map(({ site_id, total, silent, last }) => ({
    siteId: site_id,
    total,
    silent,
    lastAt: last.getTime(),
  }))
}

import { randomUUIDv7 } from 'node:crypto'
import { conflict, notFound } from '@manara/kit/errors'
import type { Site, SiteCreate, SiteListQuery } from '@manara/soc-contract/sites'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

type Db = Kysely<Tables>

/** A site without what its sources say of it. */
export type StoredSite = Omit<Site, 'health'>

export async function siteById(
  db: Db,
  id: string,
  lock?: 'against-removal' | 'for-change',
): Promise<StoredSite> {
  const one = db.selectFrom('sites').selectAll().where('id', '=', id)
  const locked =
    lock === undefined ? one : lock === 'for-change' ? one.forUpdate() : one.forKeyShare()
  const row = isRecordId(id) ? await locked.executeTakeFirst() : undefined
  if (!row) throw notFound('site', id)
  return toSite(row)
}

export async function insertSite(tx: Db, site: SiteCreate): Promise<StoredSite> {
  const row = await tx
    .insertInto('sites')
    .values({ ...site, id: randomUUIDv7(), profile: JSON.stringify(site.profile) })
    .onConflict((taken) => taken.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw nameTaken(site.name)
  return toSite(row)
}

export async function setSite(tx: Db, id: string, site: SiteCreate): Promise<StoredSite> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sites WHERE lower(name) = lower(${site.name}) AND id <> ${id}`.execute(tx)
  if (rows.length > 0) throw nameTaken(site.name)
  const row = await tx
    .updateTable('sites')
    .set({ ...site, profile: JSON.stringify(site.profile), updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toSite(row)
}

export async function removeSite(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('sites').where('id', '=', id).execute()
}

export const everySite = async (db: Db): Promise<StoredSite[]> =>
  (await db.selectFrom('sites').selectAll().orderBy(sql`lower(name)`).execute()).map(toSite)

export function pageOfSites(db: Db, query: SiteListQuery) {
  const listed = db
    .selectFrom('sites')
    .selectAll()
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime(query.sort, query.order), listed, toSite)
}

function* conditionsOf(query: SiteListQuery): Iterable<RawBuilder<boolean>> {
  const { status, criticality, asset_class, q } = query
  if (status !== undefined) yield sql`status = ${status}`
  if (criticality !== undefined) yield sql`profile->>'criticality' = ${criticality}`
  if (asset_class !== undefined) {
    yield sql`lower(profile->>'asset_classes')::jsonb ? lower(${asset_class})`
  }
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
  if (query.updated_since) yield sql`updated_at >= ${query.updated_since}`
  if (q !== undefined) yield sql`strpos(lower(concat_ws(' ', name, region)), lower(${q})) > 0`
}

function toSite(row: Selectable<Tables['sites']>): StoredSite {
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    timezone: row.timezone,
    status: row.status,
    profile: row.profile,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const nameTaken = (name: string) => conflict(`name: a site called ${name} exists already`)

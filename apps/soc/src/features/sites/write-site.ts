import { conflict } from '@manara/kit/errors'
import type { SiteCreate, SiteUpdate } from '@manara/soc-contract/sites'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { insertSite, removeSite, type StoredSite, setSite, siteById } from './sites.store.ts'

/** What another area keeps at a site, by name: a site goes only when nobody is left. */
export type Dependents = {
  what: string
  namesAt(db: Kysely<Tables>, siteId: string): Promise<string[]>
}

export async function createSite(change: ChangeContext, body: SiteCreate): Promise<StoredSite> {
  const site = await insertSite(change.tx, body)
  await change.audit({ action: 'site.create', target: `site:${site.id}`, after: site })
  await change.publish('site.created', site)
  return site
}

export async function updateSite(
  change: ChangeContext,
  id: string,
  body: SiteUpdate,
): Promise<StoredSite> {
  const before = await siteById(change.tx, id, 'for-change')
  const { name, region, timezone, status } = { ...before, ...given(body) }
  const profile = { ...before.profile, ...given(body.profile ?? {}) }
  const after = await setSite(change.tx, before.id, { name, region, timezone, status, profile })
  await change.audit({ action: 'site.update', target: `site:${after.id}`, before, after })
  await change.publish('site.updated', after)
  return after
}

/** A body that came as JSON has no undefined in it, though its type cannot say so. */
const given = <Body extends object>(body: Body) =>
  body as { [Key in keyof Body]: Exclude<Body[Key], undefined> }

export async function deleteSite(dependents: Dependents[], change: ChangeContext, id: string) {
  // Whoever places something here holds the site against removal: nobody arrives in between.
  const site = await siteById(change.tx, id, 'for-change')
  const left: string[] = []
  for (const { what, namesAt } of dependents) {
    const names = await namesAt(change.tx, site.id)
    if (names.length > 0) left.push(describe(what, names))
  }
  if (left.length > 0) {
    throw conflict(`${site.name} is still used by ${left.join(' and by ')}: move them first`)
  }
  await removeSite(change.tx, site.id)
  await change.audit({ action: 'site.delete', target: `site:${site.id}`, before: site })
  await change.publish('site.deleted', { id: site.id })
  return { deleted: true as const, id: site.id }
}

const SHOWN = 5

function describe(what: string, names: string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  const counted = `${names.length} ${what}${names.length === 1 ? '' : 's'}`
  return `${counted} (${names.slice(0, SHOWN).join(', ')}${more})`
}

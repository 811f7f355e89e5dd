import type { Site } from '@manara/soc-contract/sites'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type Machines, siteHealth } from './domain/site-health.ts'
import type { StoredSite } from './sites.store.ts'

export type HealthDeps = {
  /** When each log source was heard last, milliseconds since 1970, by its name. */
  lastEvents(): Promise<ReadonlyMap<string, number>>
  /** The machines of each of the sites, by site. */
  machinesAt(db: Kysely<Tables>, siteIds: string[]): Promise<ReadonlyMap<string, Machines[]>>
  now(): number
}

/** The log store being away is no reason to hide the sites: their sources then count as silent. */
export async function withHealth(
  deps: HealthDeps,
  db: Kysely<Tables>,
  sites: StoredSite[],
): Promise<Site[]> {
  if (sites.length === 0) return []
  const [lastEvents, machines] = await Promise.all([
    deps.lastEvents().catch(() => new Map<string, number>()),
    deps.machinesAt(
      db,
      sites.map(({ id }) => id),
    ),
  ])
  return sites.map((site) => ({
    ...site,
    health: siteHealth(
      {
        logSources: site.profile.log_sources.map((source) => ({
          source,
          lastAt: lastEvents.get(source) ?? null,
        })),
        machines: machines.get(site.id) ?? [],
      },
      deps.now(),
    ),
  }))
}

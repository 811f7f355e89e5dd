import type { Http } from '@manara/kit/http'
import { countEndpointsAt, endpointNamesAt } from '../features/edr/place-endpoint.ts'
import { shownSites } from '../features/sites/show-sites.ts'
import { type SiteDeps, siteRoutes } from '../features/sites/sites.routes.ts'
import { everySite } from '../features/sites/sites.store.ts'
import { withHealth } from '../features/sites/with-health.ts'
import type { Dependents } from '../features/sites/write-site.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

type SiteNeeds = {
  logs: Pick<LogStore, 'sources'>
  /** Of the areas beyond endpoints. */
  dependents: Dependents[]
}

/** Sites, what stands at them, and who depends on them. */
export function composeSites(platform: Platform, needs: SiteNeeds) {
  const { db, operatorChange, readThrough } = platform
  const { logs } = needs
  const health: SiteDeps['health'] = {
    now: Date.now,
    async lastEvents() {
      const sources = await logs.sources()
      return new Map(sources.map(({ source, lastAt }) => [source, lastAt]))
    },
    async machinesAt(within, siteIds) {
      const counted = await countEndpointsAt(within, siteIds)
      return new Map(
        counted.map(({ siteId, ...group }) => [siteId, [{ kind: 'endpoints' as const, ...group }]]),
      )
    },
  }
  const dependents = [{ what: 'endpoint', namesAt: endpointNamesAt }, ...needs.dependents]

  return {
    /** For the topology. */
    listSites: () =>
      readThrough(async () => withHealth(health, db, await everySite(db)), shownSites),
    routes: (api: Http) => siteRoutes(api, { db, health, operatorChange, readThrough, dependents }),
  }
}

import type { Kysely } from 'kysely'
import type { Changes } from '../core/change/operator-change.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Tables } from '../db/tables.ts'
import { countEndpointsAt, endpointNamesAt } from '../features/edr/place-endpoint.ts'
import { shownSites } from '../features/sites/show-sites.ts'
import type { SiteDeps } from '../features/sites/sites.routes.ts'
import { everySite } from '../features/sites/sites.store.ts'
import { withHealth } from '../features/sites/with-health.ts'
import type { Dependents } from '../features/sites/write-site.ts'
import type { LogStore } from '../ports/log-store.ts'

/** Sites, what stands at them, and who depends on them. */
export function composeSites(
  deps: {
    db: Kysely<Tables>
    logs: Pick<LogStore, 'sources'>
    /** Of the areas beyond endpoints. */
    dependents: Dependents[]
  } & Pick<Changes, 'operatorChange'> &
    Reads,
) {
  const { db, logs, operatorChange, readThrough } = deps
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
  return {
    routes: {
      db,
      health,
      operatorChange,
      readThrough,
      dependents: [{ what: 'endpoint', namesAt: endpointNamesAt }, ...deps.dependents],
    } satisfies SiteDeps,
    /** For the topology. */
    listSites: () =>
      readThrough(async () => withHealth(health, db, await everySite(db)), shownSites),
  }
}

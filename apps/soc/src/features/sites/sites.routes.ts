import type { Http } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import { Site, SiteCreate, SiteListQuery, SiteParams, SiteUpdate } from '@manara/soc-contract/sites'
import { Deleted } from '@manara/soc-contract/users'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { showOne } from '../../showcase/query.ts'
import { shownSites, showSites } from './show-sites.ts'
import { pageOfSites, type StoredSite, siteById } from './sites.store.ts'
import { type HealthDeps, withHealth } from './with-health.ts'
import { createSite, type Dependents, deleteSite, updateSite } from './write-site.ts'

export type SiteDeps = {
  db: Kysely<Tables>
  health: HealthDeps
  dependents: Dependents[]
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['sites']

export function siteRoutes(http: Http, deps: SiteDeps) {
  const { db, operatorChange, readThrough } = deps

  async function whole(within: Kysely<Tables>, site: StoredSite): Promise<Site> {
    const [answered] = await withHealth(deps.health, within, [site])
    return answered as Site
  }

  http.get(
    '/sites',
    {
      ...requires('sites:read'),
      schema: {
        tags,
        summary: 'List sites',
        description: 'With the health that the last events of their sources show. Newest first.',
        querystring: SiteListQuery,
        response: { 200: listOf(Site) },
      },
    },
    ({ query }) =>
      readThrough(
        async () => {
          const page = await pageOfSites(db, query)
          return { ...page, items: await withHealth(deps.health, db, page.items) }
        },
        (showcase) => showSites(showcase, query),
      ),
  )

  http.get(
    '/sites/:id',
    {
      ...requires('sites:read'),
      schema: { tags, summary: 'One site', params: SiteParams, response: { 200: Site } },
    },
    ({ params }) =>
      readThrough(
        async () => whole(db, await siteById(db, params.id)),
        (showcase) => showOne('site', shownSites(showcase), params.id),
      ),
  )

  http.post(
    '/sites',
    {
      ...requires('sites:manage'),
      schema: { tags, summary: 'Add a site', body: SiteCreate, response: { 201: Site } },
    },
    (request, reply) =>
      operatorChange(request, reply, 201, async (change) =>
        whole(change.tx, await createSite(change, request.body)),
      ),
  )

  http.patch(
    '/sites/:id',
    {
      ...requires('sites:manage'),
      schema: {
        tags,
        summary: 'Change a site',
        description: 'Parts of the profile that are left out stay as they are.',
        params: SiteParams,
        body: SiteUpdate,
        response: { 200: Site },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, async (change) =>
        whole(change.tx, await updateSite(change, request.params.id, request.body)),
      ),
  )

  http.delete(
    '/sites/:id',
    {
      ...requires('sites:manage'),
      schema: {
        tags,
        summary: 'Remove a site',
        description: '409 with what depends on it while agents, endpoints or devices do.',
        params: SiteParams,
        response: { 200: Deleted },
      },
    },
    (request, reply) =>
      operatorChange(request, reply, 200, (change) =>
        deleteSite(deps.dependents, change, request.params.id),
      ),
  )
}

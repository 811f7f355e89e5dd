import { notFound } from '@manara/kit/errors'
import { Endpoint, type EndpointListQuery } from '@manara/soc-contract/edr'
import { pageOf } from '../../showcase/page-of.ts'
import type { Showcase } from '../../showcase/showcase.ts'

export const shownEndpoints = ({ endpoints }: Pick<Showcase, 'endpoints'>): Endpoint[] =>
  endpoints.map((endpoint) => Endpoint.parse(endpoint))

/** The list as it would come from the database, over the showcase. */
export function showEndpoints(endpoints: Endpoint[], query: EndpointListQuery) {
  const direction = query.order === 'asc' ? 1 : -1
  const shown = endpoints
    .filter((endpoint) => matches(endpoint, query))
    .sort((a, b) => direction * (Date.parse(a[query.sort]) - Date.parse(b[query.sort])))
  return pageOf(shown, query)
}

export function showEndpoint(endpoints: Endpoint[], id: string): Endpoint {
  const endpoint = endpoints.find((one) => one.id === id)
  if (!endpoint) throw notFound('endpoint', id)
  return endpoint
}

const isSame = (asked: string | undefined, value: string | null) =>
  asked === undefined || asked.toLowerCase() === value?.toLowerCase()

function matches(endpoint: Endpoint, query: EndpointListQuery): boolean {
  const { ip, label, from, to, updated_since, q } = query
  return (
    isSame(query.status, endpoint.status) &&
    isSame(query.isolation, endpoint.isolation) &&
    isSame(query.hostname, endpoint.hostname) &&
    isSame(query.os, endpoint.os.name) &&
    isSame(query.site_id, endpoint.site_id) &&
    (ip === undefined || endpoint.ips.includes(ip)) &&
    (label === undefined || endpoint.labels.includes(label)) &&
    (!from || new Date(endpoint.first_seen_at) >= from) &&
    (!to || new Date(endpoint.first_seen_at) < to) &&
    (!updated_since || new Date(endpoint.last_seen_at) >= updated_since) &&
    (q === undefined || JSON.stringify(endpoint).toLowerCase().includes(q.toLowerCase()))
  )
}

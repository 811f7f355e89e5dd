import { Endpoint, type EndpointListQuery } from '@manara/soc-contract/edr'
import {
  hasAsked,
  includesAsked,
  isAsked,
  isWithin,
  mentions,
  showList,
} from '../../showcase/query.ts'
import type { Showcase } from '../../showcase/showcase.ts'

export const shownEndpoints = ({ endpoints }: Pick<Showcase, 'endpoints'>): Endpoint[] =>
  endpoints.map((endpoint) => Endpoint.parse(endpoint))

export const showEndpoints = (endpoints: Endpoint[], query: EndpointListQuery) =>
  showList(endpoints, query, { where, sortBy: (endpoint) => Date.parse(endpoint[query.sort]) })

const where = (endpoint: Endpoint, query: EndpointListQuery) =>
  hasAsked(endpoint, query, ['status', 'isolation', 'hostname', 'site_id']) &&
  isAsked(query.os, endpoint.os.name) &&
  includesAsked(query.ip, endpoint.ips) &&
  includesAsked(query.label, endpoint.labels) &&
  isWithin(query, endpoint.first_seen_at, endpoint.last_seen_at) &&
  mentions(endpoint, query.q)

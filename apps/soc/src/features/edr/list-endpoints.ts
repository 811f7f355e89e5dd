import type { Endpoint, EndpointListQuery } from '@manara/soc-contract/edr'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inTime } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { toEndpoint } from './endpoint-record.ts'

export async function listEndpoints(
  db: Kysely<Tables>,
  query: EndpointListQuery,
): Promise<ListOf<Endpoint>> {
  const listed = db
    .selectFrom('edr_endpoints')
    .selectAll()
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  return readPage(query, inTime(query.sort, query.order), listed, toEndpoint)
}

function* conditionsOf(query: EndpointListQuery): Iterable<RawBuilder<boolean>> {
  const { status, isolation, hostname, ip, os, label, site_id, q } = query
  if (status !== undefined) yield sql`status = ${status}`
  if (isolation !== undefined) yield sql`isolation = ${isolation}`
  if (hostname !== undefined) yield sql`lower(hostname) = lower(${hostname})`
  if (ip !== undefined) yield sql`ips @> ARRAY[${ip}]`
  if (os !== undefined) yield sql`lower(os_name) = lower(${os})`
  if (label !== undefined) yield sql`labels @> ARRAY[${label}]`
  if (site_id !== undefined) yield sql`site_id = ${site_id}`
  if (query.from) yield sql`first_seen_at >= ${query.from}`
  if (query.to) yield sql`first_seen_at < ${query.to}`
  if (query.updated_since) yield sql`last_seen_at >= ${query.updated_since}`
  if (q !== undefined) {
    yield sql`position(lower(${q}) IN lower(concat_ws(' ', hostname, os_name, os_version,
      agent_version, array_to_string(ips, ' '), array_to_string(labels, ' ')))) > 0`
  }
}

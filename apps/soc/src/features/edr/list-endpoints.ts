import type { Endpoint, EndpointListQuery } from '@manara/soc-contract/edr'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { toEndpoint } from './endpoint-record.ts'

export async function listEndpoints(
  db: Kysely<Tables>,
  query: EndpointListQuery,
): Promise<ListOf<Endpoint>> {
  const sort: Sort = {
    name: query.sort,
    order: query.order,
    columns: { [query.sort]: 'time', id: 'id' },
  }
  const listed = db
    .selectFrom('edr_endpoints')
    .where(sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `))
  const [rows, { total }] = await Promise.all([
    listed
      .selectAll()
      .where(behind(sort, query.cursor))
      .orderBy(ordered(sort))
      .offset(query.skip)
      .limit(query.limit + 1)
      .execute(),
    listed.select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: toEndpoint,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
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

import type { EndpointAction, EndpointActionListQuery } from '@manara/soc-contract/edr'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Sort } from '../../db/keyset.ts'
import { readPage } from '../../db/page.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { toAction } from './action-record.ts'
import { actionsOf } from './edr.store.ts'

export async function listActions(
  db: Kysely<Tables>,
  query: EndpointActionListQuery,
): Promise<ListOf<EndpointAction>> {
  const sort: Sort = {
    name: query.sort,
    order: query.order,
    columns: { created_at: 'time', action_id: 'id' },
  }
  const listed = actionsOf(db).where(
    sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `),
  )
  return readPage(query, sort, listed, toAction)
}

function* conditionsOf(query: EndpointActionListQuery): Iterable<RawBuilder<boolean>> {
  const { command, status, endpoint_id: endpoint } = query
  if (command !== undefined) yield sql`command = ${command}`
  if (status !== undefined) yield sql`edr_actions.status = ${status}`
  if (endpoint !== undefined) {
    yield isRecordId(endpoint) ? sql`endpoint_id = ${endpoint}` : sql`false`
  }
  if (query.from) yield sql`created_at >= ${query.from}`
  if (query.to) yield sql`created_at < ${query.to}`
}

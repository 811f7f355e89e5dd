import type { EndpointAction, EndpointActionListQuery } from '@manara/soc-contract/edr'
import type { ListOf } from '@manara/soc-contract/lists'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { behind, cursorAfter, ordered, type Sort } from '../../db/keyset.ts'
import { pageOf } from '../../db/page.ts'
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
  const chosen = sql.join<boolean>([sql`true`, ...conditionsOf(query)], sql` AND `)
  const [rows, { total }] = await Promise.all([
    actionsOf(db)
      .where(chosen)
      .where(behind(sort, query.cursor))
      .orderBy(ordered(sort))
      .offset(query.skip)
      .limit(query.limit + 1)
      .execute(),
    db
      .selectFrom('edr_actions')
      .where(chosen)
      .select(sql<string>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return pageOf(query, {
    rows,
    total: Number(total),
    toItem: toAction,
    cursorAfter: (row) => cursorAfter(sort, row),
  })
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

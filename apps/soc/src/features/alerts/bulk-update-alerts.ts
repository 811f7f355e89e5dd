import { invalid, notFound } from '@manara/kit/errors'
import type { AlertBulk } from '@manara/soc-contract/alerts'
import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { isRecordId } from '../../db/record-id.ts'
import { matching, spelled } from './alert-filter.ts'
import { handledBy } from './handled-by.ts'

// The audit log names every alert that changed: this many it can carry in one entry.
const AT_MOST = 10_000

/** All of them or none: an unknown id changes nothing. */
export async function bulkUpdateAlerts(change: ChangeContext, body: AlertBulk) {
  const { status, resolution } = body
  const { found, ...left } = body.ids
    ? { found: await lockByIds(change, body.ids) }
    : await lockByFilter(change, body)
  const changing = found.filter(
    (alert) =>
      alert.status !== status || (resolution !== undefined && alert.resolution !== resolution),
  )
  const ids = changing.map(({ id }) => id)
  if (ids.length > 0) {
    await change.tx
      .updateTable('alerts')
      .set({
        status,
        ...(resolution === undefined ? {} : { resolution }),
        ...handledBy(change.principal, status),
        updated_at: sql`now()`,
      })
      .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
      .execute()
    await change.audit({
      action: 'alert.bulk_update',
      target: 'alerts',
      before: Object.fromEntries(changing.map((alert) => [alert.id, alert.status])),
      after: { status, resolution },
    })
    await change.publish('alert.bulk_updated', { ids, status })
  }
  const before = Map.groupBy(changing, (alert) => alert.status)
  return {
    matched: found.length,
    updated: ids.length,
    status,
    before: Object.fromEntries(
      [...before].map(([was, alerts]) => [was, alerts.map(({ id }) => id)]),
    ),
    ...left,
  }
}

async function lockByIds(change: ChangeContext, asked: string[]) {
  const ids = [...new Set(asked)]
  const found = await lock(change, sql`id = ANY(${ids.filter(isRecordId)}::uuid[])`)
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id.toLowerCase()))
  if (unknown !== undefined) throw notFound('alert', unknown)
  return found
}

async function lockByFilter(change: ChangeContext, body: AlertBulk) {
  const { filter = {}, except = [], most, status } = body
  const left = except.filter(isRecordId)
  const condition = sql<boolean>`${matching(await spelled(change.tx, filter))} AND id <> ALL(${left}::uuid[])`
  if (most === undefined) {
    const found = await lock(change, condition)
    if (found.length > AT_MOST) throw invalid('filter', `matches more than ${AT_MOST} alerts`)
    return { found }
  }
  // Without those that are changed already: else the next part would be the same ones.
  const found = await lock(change, sql`${condition} AND status <> ${status}`, most)
  return { found: found.slice(0, most), has_more: found.length > most }
}

// In the order of their ids, as everywhere: two bulk changes then wait instead of deadlocking.
function lock({ tx }: ChangeContext, condition: ReturnType<typeof matching>, most = AT_MOST) {
  return tx
    .selectFrom('alerts')
    .select(['id', 'status', 'resolution'])
    .where(condition)
    .orderBy('id')
    .limit(most + 1)
    .forNoKeyUpdate()
    .execute()
}

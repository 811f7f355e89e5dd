import type { EdrStats, Endpoint } from '@manara/soc-contract/edr'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

type Counted = Pick<Endpoint, 'status' | 'isolation'>

export type AdapterState = EdrStats['adapter']

export async function edrStats(db: Kysely<Tables>, adapter: AdapterState): Promise<EdrStats> {
  const [endpoints, actions] = await Promise.all([
    db
      .selectFrom('edr_endpoints')
      .select(['status', 'isolation', sql<string>`count(*)`.as('amount')])
      .groupBy(['status', 'isolation'])
      .execute(),
    db
      .selectFrom('edr_actions')
      .select(['status', sql<string>`count(*)`.as('amount')])
      .groupBy('status')
      .execute(),
  ])
  const stats = countEndpoints(endpoints, adapter)
  for (const { status, amount } of actions) stats.actions[status] = Number(amount)
  return stats
}

/** One row a group, or one an endpoint. */
export function countEndpoints(
  rows: (Counted & { amount?: string })[],
  adapter: AdapterState,
): EdrStats {
  const stats: EdrStats = {
    total: 0,
    by_status: { online: 0, offline: 0, unknown: 0 },
    by_isolation: { none: 0, pending: 0, isolated: 0, releasing: 0 },
    actions: { queued: 0, sent: 0, completed: 0, failed: 0, cancelled: 0 },
    adapter,
  }
  for (const { status, isolation, amount = '1' } of rows) {
    stats.total += Number(amount)
    stats.by_status[status] += Number(amount)
    stats.by_isolation[isolation] += Number(amount)
  }
  return stats
}

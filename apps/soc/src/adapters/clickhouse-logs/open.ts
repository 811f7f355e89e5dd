import type { LogStore } from '../../ports/log-store.ts'
import { aggregate } from './aggregate.ts'
import { createAppend } from './append.ts'
import { createLiterals, rangeConditions } from './binding.ts'
import { createCluster } from './cluster.ts'
import { retain } from './retain.ts'
import { createRewrite } from './rewrite.ts'
import { dayOf, STORED, toLog } from './rows.ts'
import { scan, search } from './search.ts'
import { fieldNames, fields, histogram, sources, stats, topValues } from './summaries.ts'

/** An id is stored once a day, or a few times where several processes write. */
const MOST_OF_AN_ID = 4

/** One server, or all servers of the cluster that their configuration calls `cluster`. */
export function openClickhouseLogs(options: {
  urls: string[]
  cluster?: string | undefined
  now?: () => number
  /** For so long events may take to be deleted out of days that stay. */
  deletingMs?: number
}): LogStore {
  const cluster = createCluster(options.urls, options.cluster)
  const steadily = cluster.steady.read
  const { append, pause } = createAppend(cluster)

  const byIds: LogStore['byIds'] = async (ids, received) => {
    if (ids.length === 0) return []
    const { bind } = createLiterals()
    const conditions = [
      `id IN (${ids.map((id) => bind(id)).join(', ')})`,
      ...rangeConditions('received_at', received),
      ...(received?.from === undefined ? [] : [`received_day >= '${dayOf(received.from)}'`]),
    ]
    const { rows } = await cluster.select(() => ({
      statement: `SELECT ${STORED} FROM ${cluster.table}
        WHERE ${conditions.join(' AND ')} LIMIT ${received ? MOST_OF_AN_ID : 1} BY id`,
    }))
    return rows.map(toLog)
  }

  return {
    engine: 'clickhouse',
    damages: () => [],
    append,
    ...createRewrite(cluster, pause, options.now ?? Date.now),
    search: (request, limits) => steadily(() => search(cluster, request, limits)),
    byId: async (id) => (await byIds([id]))[0],
    byIds,
    scan: (selection, limits) => scan(cluster, selection, limits),
    histogram: (...asked) => steadily(() => histogram(cluster)(...asked)),
    fieldNames: (...asked) => steadily(() => fieldNames(cluster)(...asked)),
    fields: (...asked) => steadily(() => fields(cluster)(...asked)),
    topValues: (...asked) => steadily(() => topValues(cluster)(...asked)),
    aggregate: (...asked) => steadily(() => aggregate(cluster)(...asked)),
    sources: () => steadily(() => sources(cluster)),
    stats: () => stats(cluster),
    retain: (retention, now) => retain(cluster, retention, now, options.deletingMs),
    close: () => cluster.close(),
  }
}

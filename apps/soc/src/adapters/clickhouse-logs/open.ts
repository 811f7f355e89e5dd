import type { Logger } from '@manara/kit/logging'
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
import { watchServers } from './watch-servers.ts'

/** An id is stored once a day, or a few times where several processes write. */
const MOST_OF_AN_ID = 4
/** So long after events were refused: there is nearly always somebody who sends some. */
const REFUSED_MS = 60_000

/** One server, or all servers of the cluster that their configuration calls `cluster`. */
export function openClickhouseLogs(options: {
  urls: string[]
  cluster?: string | undefined
  now?: () => number
  /** For so long events may take to be deleted out of days that stay. */
  deletingMs?: number
  log?: Pick<Logger, 'error' | 'info'>
}): LogStore {
  const cluster = createCluster(options.urls, options.cluster)
  const steadily = cluster.steady.read
  const { append, pause } = createAppend(cluster)
  const watch = watchServers(cluster.servers, options.log)
  let refusedUntil = 0

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
    state() {
      const state = watch.state()
      return state !== 'down' && performance.now() < refusedUntil ? 'read_only' : state
    },
    async append(logs) {
      try {
        const answer = await append(logs)
        refusedUntil = 0
        return answer
      } catch (error) {
        // Of a server that is away it says nothing about when that is back.
        if (watch.state() !== 'down') refusedUntil = performance.now() + REFUSED_MS
        throw error
      }
    },
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
    async close() {
      watch.stop()
      await cluster.close()
    },
  }
}

import type { LogStore } from '../../ports/log-store.ts'
import { aggregate } from './aggregate.ts'
import { createAppend } from './append.ts'
import { createLiterals } from './binding.ts'
import { createCluster } from './cluster.ts'
import { retain } from './retain.ts'
import { STORED, toLog } from './rows.ts'
import { scan, search } from './search.ts'
import { fields, histogram, sources, stats, topValues } from './summaries.ts'

/** One server, or all servers of the cluster that their configuration calls `cluster`. */
export function openClickhouseLogs(options: {
  urls: string[]
  cluster?: string | undefined
}): LogStore {
  const cluster = createCluster(options.urls, options.cluster)
  return {
    engine: 'clickhouse',
    damages: () => [],
    append: createAppend(cluster),
    search: (request, limits) => search(cluster, request, limits),
    async byId(id) {
      const { rows } = await cluster.select(() => ({
        statement: `SELECT ${STORED} FROM ${cluster.table} WHERE id = ${createLiterals().bind(id)} LIMIT 1`,
      }))
      return rows.map(toLog)[0]
    },
    scan: (selection, limits) => scan(cluster, selection, limits),
    histogram: histogram(cluster),
    fields: fields(cluster),
    topValues: topValues(cluster),
    aggregate: aggregate(cluster),
    sources: () => sources(cluster),
    stats: () => stats(cluster),
    retain: (retention, now) => retain(cluster, retention, now),
    close: () => cluster.close(),
  }
}

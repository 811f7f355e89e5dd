import { createQueue } from '@manara/kit/queue'
import type {
  Limits,
  LogSelection,
  LogStore,
  Retention,
  SearchRequest,
  SourceSummary,
  StoredLog,
} from '../../ports/log-store.ts'
import { aggregateOf } from './aggregate.ts'
import { retainLogs } from './retain.ts'
import { createScanPages } from './scan-pages.ts'
import { searchLogs } from './search.ts'
import { closeStore, openStore, type Store, type StoreSettings } from './store.ts'
import { fieldsOf, histogramOf, topValuesOf } from './summaries.ts'
import { createWriter } from './writer.ts'

export type Engine = Awaited<ReturnType<typeof openEngine>>

/** All operations on one open store; runs inside the worker. */
export async function openEngine(settings: StoreSettings, warn: (text: string) => void) {
  const store = await openStore(settings, warn)
  const writer = await createWriter(store, settings)

  const scanPage = createScanPages(store)
  const retaining = createQueue()

  /** Keeps the partitions it began with until it ends. */
  async function reading<T>(work: Promise<T>): Promise<T> {
    store.running.add(work)
    try {
      return await work
    } finally {
      store.running.delete(work)
    }
  }

  return {
    append: (logs: StoredLog[]) => writer.append(logs),
    search: (request: SearchRequest, limits: Limits) => reading(searchLogs(store, request, limits)),
    scanPage: (...asked: Parameters<typeof scanPage>) => reading(scanPage(...asked)),
    byId: (id: string) =>
      reading(searchLogs(store, byIdRequest(id), {})).then(({ logs }) => logs[0]),
    histogram: (request: Parameters<LogStore['histogram']>[0], limits: Limits) =>
      reading(histogramOf(store, request, limits)),
    fields: (selection: LogSelection, limits: Limits) =>
      reading(fieldsOf(store, selection, limits)),
    topValues: (request: Parameters<LogStore['topValues']>[0], limits: Limits) =>
      reading(topValuesOf(store, request, limits)),
    aggregate: (request: Parameters<LogStore['aggregate']>[0], limits: Limits) =>
      reading(aggregateOf(store, request, limits)),
    sources: async () => summariseSources(store),
    stats: async () => ({
      events: store.segments.reduce((sum, { events }) => sum + events, 0),
      bytes: store.database.bytes(),
      oldestAt: store.segments.reduce<number | null>(
        (oldest, { minAt }) => (oldest === null ? minAt : Math.min(oldest, minAt)),
        null,
      ),
    }),
    retain: (retention: Retention, now: number) =>
      retaining.run(() => retainLogs(store, retention, now, writer.retire)),
    /** After what is under way. */
    async close() {
      await Promise.allSettled([retaining.idle(), writer.idle(), ...store.running])
      writer.close()
      closeStore(store)
    },
  }
}

const byIdRequest = (id: string): SearchRequest => ({
  query: {
    kind: 'field',
    field: 'id',
    match: { kind: 'pattern', parts: [id], isCaseSensitive: true },
  },
  time: {},
  skip: 0,
  limit: 1,
  order: 'desc',
  countUpTo: 0,
})

function summariseSources({ segments }: Store): SourceSummary[] {
  const summaries = new Map<string, SourceSummary>()
  for (const segment of segments) {
    for (const [source, { count, minAt, maxAt }] of segment.sources) {
      const known = summaries.get(source)
      summaries.set(source, {
        source,
        count: (known?.count ?? 0) + count,
        firstAt: Math.min(known?.firstAt ?? minAt, minAt),
        lastAt: Math.max(known?.lastAt ?? maxAt, maxAt),
      })
    }
  }
  return [...summaries.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

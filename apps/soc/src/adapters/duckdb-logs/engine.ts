import { createQueue } from '@manara/kit/queue'
import type {
  Damage,
  Incomplete,
  Limits,
  LogSelection,
  LogStore,
  Retention,
  SearchRequest,
  SourceSummary,
  StoredLog,
} from '../../ports/log-store.ts'
import { aggregateOf } from './aggregate.ts'
import { isOpen } from './current-partition.ts'
import { damageIn } from './damages.ts'
import type { Partition } from './database.ts'
import { findDamage, isCorrupt } from './find-damage.ts'
import { loadDerived } from './load-derived.ts'
import { loadRecentIds } from './load-recent-ids.ts'
import { makeRollups } from './load-rollups.ts'
import { makeFilterBlocks } from './make-filter-blocks.ts'
import { type DuckdbPacked, dayOf, readPacked } from './packed-logs.ts'
import { readByIds } from './read-by-ids.ts'
import { type Budget, budgetOf } from './readers.ts'
import { retainLogs } from './retain.ts'
import { createScanPages } from './scan-pages.ts'
import { searchLogs } from './search.ts'
import { eventsIn } from './segments.ts'
import { closeStore, damagesOf, openStore, type Store, type StoreSettings } from './store.ts'
import { fieldNamesOf, fieldsOf, histogramOf } from './summaries.ts'
import { topValuesOf } from './top-values.ts'
import { warmUp } from './warm-up.ts'
import { createWriter } from './writer.ts'

const LATER_MS = 3_000

export type Engine = Awaited<ReturnType<typeof openEngine>>

/** All operations on one open store; runs inside the worker. */
export async function openEngine(
  settings: StoreSettings,
  warn: (text: string) => void,
  tellDamages: (damages: Damage[]) => void,
) {
  const store = await openStore(settings, warn)
  const unrolled = await loadDerived(store, settings.filterMb)
  tellDamages(damagesOf(store))
  const ending = new AbortController()
  const writer = await createWriter(store, settings, warn, idsLoaded)

  const scans = createScanPages(async (selection, after, limit, limits, taken) => {
    const page = { skip: 0, limit, order: 'asc', after, countUpTo: 0 } as const
    const within: Budget = { ...budgetOf(limits, taken), least: 1 }
    const found = await steadily(() => searchLogs(store, { ...selection, ...page }, limits, within))
    return found.logs
  })
  const retaining = createQueue()

  /** Keeps the partitions it began with until it ends; where they turn out damaged it begins again. */
  async function reading<T>(begin: () => Promise<T>): Promise<T> {
    for (;;) {
      const work = begin()
      store.running.add(work)
      try {
        return await work
      } catch (error) {
        if (!isCorrupt(error) || !(await lookForDamage())) throw error
      } finally {
        store.running.delete(work)
      }
    }
  }

  /** As if no event were written anew meanwhile. */
  const steadily = <T>(begin: () => Promise<T>) => store.steady.read(() => reading(begin))

  let loadingIds: Promise<void> | undefined

  /** A failure is for those who wait; the next append tries again. */
  function idsLoaded(): Promise<void> {
    loadingIds ??= reading(() => loadRecentIds(store, ending.signal)).catch((error) => {
      loadingIds = undefined
      throw error
    })
    return loadingIds
  }

  const looking = createQueue()
  let found = 0

  /** One look for all that failed together. */
  function lookForDamage(): Promise<boolean> {
    const before = found
    return looking.run(async () => {
      if (found > before) return true
      if (!(await findDamage(store, warn))) return false
      found += 1
      tellDamages(damagesOf(store))
      return true
    })
  }

  /** The answer, with what is missing from it by damage. */
  async function whole<T extends { partial: Incomplete }>(
    selection: LogSelection,
    begin: () => Promise<T>,
  ): Promise<T> {
    const answer = await steadily(begin)
    const damage = damageIn(damagesOf(store), selection)
    if (damage === null) return answer
    const { partial } = answer
    const both = partial && { ...partial, detail: `${partial.detail}; ${damage.detail}` }
    return {
      ...answer,
      partial: both ?? damage,
      ...('isTotalExact' in answer ? { isTotalExact: false } : {}),
    }
  }

  // The first search after a start has the cores for itself; the first append does not wait for this.
  const loading = setTimeout(() => {
    const warming = reading(() => warmUp(store, ending.signal))
    void Promise.allSettled([warming, idsLoaded()])
  }, LATER_MS).unref()
  reading(() => makeRollups(store, unrolled, ending.signal)).catch((error) =>
    warn(`counts of older log files could not be made, and are read when needed: ${error}`),
  )

  const filtering = createQueue()
  store.onFull = (partition) => {
    void filtering
      .run(() => reading(() => makeFilterBlocks(store, partition, ending.signal)))
      .catch((error) => warn(`filters of ${partition.name} stay where they are: ${error}`))
    // Not while events of older files are written anew.
    void retaining
      .run(() => reading(() => settleOld(store, partition, ending.signal)))
      .catch((error) => warn(`the write-ahead log of ${partition.name} stays: ${error}`))
  }
  for (const partition of store.partitions) store.onFull(partition)

  return {
    /** The parts of a day one after the other; answers which of each, by place, were stored before. */
    async append(parts: DuckdbPacked[]) {
      const days = Map.groupBy(parts.map(readPacked), ({ received }) => dayOf(received[0] ?? 0))
      const known = await Promise.all(
        [...days].map(([day, batches]) => writer.append(day, batches)),
      )
      return known.flat()
    },
    search: (request: SearchRequest, limits: Limits) =>
      whole(request, () => searchLogs(store, request, limits)),
    scanPage: (...asked: Parameters<typeof scans.page>) => scans.page(...asked),
    endScan: async (scan: string) => scans.end(scan),
    byIds: (...asked: Parameters<LogStore['byIds']>) => steadily(() => readByIds(store, ...asked)),
    histogram: (request: Parameters<LogStore['histogram']>[0], limits: Limits) =>
      whole(request, () => histogramOf(store, request, limits)),
    fieldNames: (selection: LogSelection, limits: Limits) =>
      steadily(() => fieldNamesOf(store, selection, limits)),
    fields: (selection: LogSelection, limits: Limits) =>
      whole(selection, () => fieldsOf(store, selection, limits)),
    topValues: (request: Parameters<LogStore['topValues']>[0], limits: Limits) =>
      whole(request, () => topValuesOf(store, request, limits)),
    aggregate: (request: Parameters<LogStore['aggregate']>[0], limits: Limits) =>
      whole(request, () => aggregateOf(store, request, limits)),
    sources: async () => summariseSources(store),
    stats: async () => ({
      events: eventsIn(store.segments),
      bytes: store.database.bytes(),
      oldestAt: store.segments.reduce<number | null>(
        (oldest, { minAt }) => (oldest === null ? minAt : Math.min(oldest, minAt)),
        null,
      ),
    }),
    retain: (retention: Retention, now: number) =>
      retaining.run(async () => {
        const dropped = await retainLogs(store, retention, now, writer.retire)
        for (const partition of store.partitions) store.onFull(partition)
        tellDamages(damagesOf(store))
        return dropped
      }),
    /** Not while files are written again without what is over. */
    rewrite: (logs: StoredLog[]) =>
      retaining.run(async () => {
        try {
          return { rewritten: await writer.rewrite(logs), tooNew: 0 }
        } catch (error) {
          if (!isCorrupt(error) || !(await lookForDamage())) throw error
          return { rewritten: await writer.rewrite(logs), tooNew: 0 }
        }
      }),
    finishRewrite: async () => {
      for (const partition of store.partitions) store.onFull(partition)
    },
    /** After what is being written; questions under way end without an answer. */
    async close() {
      ending.abort()
      clearTimeout(loading)
      store.readers.end()
      await Promise.allSettled([retaining.idle(), ...store.running])
      await filtering.idle()
      await writer.close()
      closeStore(store)
    },
  }
}

/** A start replays the write-ahead log of each file: only that of the last one should have any. */
async function settleOld(store: Store, partition: Partition, signal: AbortSignal) {
  const isOld = !isOpen(store, partition) && store.partitions.includes(partition)
  if (isOld && !signal.aborted && store.database.hasLog(partition)) {
    await store.database.settle(partition)
  }
}

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

import type {
  Damage,
  Limits,
  LogSelection,
  LogStore,
  Retention,
  SearchRequest,
  StoredLog,
} from '../../ports/log-store.ts'
import { aggregateOf } from './aggregate.ts'
import { loadDerived } from './load-derived.ts'
import { loadRecentIds } from './load-recent-ids.ts'
import { makeRollups } from './load-rollups.ts'
import type { DuckdbPacked } from './packed-logs.ts'
import { readByIds } from './read-by-ids.ts'
import { type Budget, budgetOf } from './readers.ts'
import { createReads } from './reads.ts'
import { createRehearsal } from './rehearsal.ts'
import { retainLogs } from './retain.ts'
import { createScanPages } from './scan-pages.ts'
import { searchLogs } from './search.ts'
import { eventsIn, oldestIn, sourcesIn } from './segments.ts'
import { closeStore, damagesOf, openStore, type StoreSettings } from './store.ts'
import { fieldNamesOf, fieldsOf, histogramOf } from './summaries.ts'
import { topValuesOf } from './top-values.ts'
import { createUpkeep } from './upkeep.ts'
import { warmUp } from './warm-up.ts'
import { appendParts, createWriter } from './writer.ts'

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
  const { signal } = ending
  const reads = createReads(store, warn, tellDamages)
  const { reading, steadily, whole } = reads
  const writer = await createWriter(store, settings, warn, idsLoaded)
  const rehearsal = createRehearsal(settings, signal)
  const upkeep = createUpkeep(store, reads, warn, signal)
  const scans = createScanPages(async (selection, after, limit, limits, taken) => {
    const page = { skip: 0, limit, order: 'asc', after, countUpTo: 0 } as const
    const within: Budget = { ...budgetOf(limits, taken), least: 1 }
    const found = await steadily(() => searchLogs(store, { ...selection, ...page }, limits, within))
    return found.logs
  })

  let loadingIds: Promise<void> | undefined

  /** A failure is for those who wait; the next append tries again. */
  function idsLoaded(): Promise<void> {
    loadingIds ??= reading(() => loadRecentIds(store, signal)).catch((error) => {
      loadingIds = undefined
      throw error
    })
    return loadingIds
  }

  // The first search after a start has the cores for itself; the first append does not wait for this.
  const loading = setTimeout(() => {
    const warming = reading(() => warmUp(store, signal))
    void Promise.allSettled([warming, idsLoaded()])
  }, LATER_MS).unref()
  reading(() => makeRollups(store, unrolled, signal)).catch((error) =>
    warn(`counts of older log files could not be made, and are read when needed: ${error}`),
  )
  upkeep.seeToAll()

  return {
    append: (parts: DuckdbPacked[]) => appendParts(writer, parts),
    rehearse: rehearsal.append,
    endRehearsal: rehearsal.end,
    search: (request: SearchRequest, limits: Limits) =>
      whole(request, () => searchLogs(store, request, limits)),
    scanPage: scans.page,
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
    sources: async () => sourcesIn(store.segments),
    stats: async () => ({
      events: eventsIn(store.segments),
      bytes: store.database.bytes(),
      oldestAt: oldestIn(store.segments),
    }),
    retain: (retention: Retention, now: number) =>
      upkeep.changeFiles(async () => {
        const dropped = await retainLogs(store, retention, now, writer.retire)
        upkeep.seeToAll()
        tellDamages(damagesOf(store))
        return dropped
      }),
    rewrite: (logs: StoredLog[]) =>
      upkeep.changeFiles(async () => {
        const rewritten = await writer.rewrite(logs).catch(async (error) => {
          if (await reads.isOvercome(error)) return writer.rewrite(logs)
          throw error
        })
        return { rewritten, tooNew: 0 }
      }),
    finishRewrite: async () => upkeep.seeToAll(),
    /** After what is being written; questions under way end without an answer. */
    async close() {
      ending.abort()
      clearTimeout(loading)
      store.readers.end()
      await Promise.allSettled([upkeep.idle(), rehearsal.end(), ...store.running])
      await writer.close()
      closeStore(store)
    },
  }
}

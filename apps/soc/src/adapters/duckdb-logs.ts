import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { AppError, StartError, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { handOver } from '@manara/kit/thread/hand-over'
import { startThread, type Thread } from '@manara/kit/thread/start-thread'
import type {
  Damage,
  Limits,
  LogSelection,
  LogStore,
  Position,
  SearchAnswer,
  SearchRequest,
  StoredLog,
} from '../ports/log-store.ts'
import { groupsOf, packGroups, placesIn } from './duckdb-logs/pack-groups.ts'
import { unpackLogs } from './duckdb-logs/pack-logs.ts'
import { copyOf, type DuckdbPacked } from './duckdb-logs/packed-logs.ts'
import type { LogStoreCalls, LogStoreNews, Operation } from './duckdb-logs/protocol.ts'
import type { ScanPage } from './duckdb-logs/scan-pages.ts'
import type { StoreSettings } from './duckdb-logs/store.ts'

const WORKER = new URL('./duckdb-logs/log-store-worker.ts', import.meta.url)
const PACKER = new URL('./duckdb-logs/pack-logs.ts', import.meta.url)

const open = new Set<string>()

/**
 * The log store in a directory, on DuckDB in a worker thread. A directory that holds logs is opened
 * in the background at once, an empty one with the first call.
 */
export function openDuckdbLogs(options: {
  directory: string
  log: Pick<Logger, 'error' | 'warn'>
  memoryMb?: number
  segmentEvents?: number
  partitionEvents?: number
  filterMb?: number
  reserveMb?: number
  checkpoints?: StoreSettings['checkpoints']
}): LogStore {
  const { log } = options
  const directory = path.resolve(options.directory)
  if (open.has(directory)) throw new StartError(`the log store in ${directory} is open already`)
  open.add(directory)

  const settings: StoreSettings = {
    directory,
    memoryMb: options.memoryMb ?? 1024,
    segmentEvents: options.segmentEvents ?? 4_096,
    partitionEvents: options.partitionEvents ?? 2_000_000,
    filterMb: options.filterMb ?? 48,
    reserveMb: options.reserveMb ?? 256,
    checkpoints: options.checkpoints,
  }
  let thread: Thread<LogStoreCalls> | undefined
  let damages: readonly Damage[] = []
  let isClosed = false
  let searches = 0

  /** A thread that has died is followed by another with the next call. */
  function started(): Thread<LogStoreCalls> {
    if (isClosed) throw unavailable('the log store is closed')
    thread ??= start()
    return thread
  }

  function start(): Thread<LogStoreCalls> {
    const fresh = startThread<LogStoreCalls, LogStoreNews>(WORKER, {
      worker: { workerData: settings, execArgv: [] },
      onNews(news) {
        if ('damages' in news) damages = news.damages
        else log.warn(news.warning)
      },
      onDeath(cause) {
        if (thread === fresh) thread = undefined
        if (!isClosed) log.error({ err: cause }, 'the log store failed')
      },
    })
    return fresh
  }

  async function answered<T>(asked: Thread<LogStoreCalls>, answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (asked === thread || error instanceof AppError) throw error
      throw unavailable('the log store failed and starts again: send the request again', error)
    }
  }

  async function call<T>(operation: Operation, args: unknown[], limits: Limits = {}): Promise<T> {
    const { signal, timeLimitMs } = limits
    signal?.throwIfAborted()
    const asked = started()
    const answer = asked.call('run', [operation, args, { timeLimitMs }], signal)
    return answered(asked, answer as Promise<T>)
  }

  async function search(request: SearchRequest, limits: Limits = {}): Promise<SearchAnswer> {
    const { signal, timeLimitMs } = limits
    signal?.throwIfAborted()
    const asked = started()
    const name = ++searches
    const first = asked.call('search', [name, request, { timeLimitMs }], signal)
    // Whoever leaves in the middle leaves nothing in memory.
    first.catch(() => asked.call('endPieces', [name])).catch(() => {})
    const { hasMore, ...answer } = await answered(asked, first)
    for (let isMore = hasMore; isMore; ) {
      const piece = await answered(asked, asked.call('nextPiece', [name]))
      answer.logs.push(...piece.logs)
      isMore = piece.hasMore
    }
    return answer
  }

  /** Gives the parts away. Answers which of each, by place, were stored before. */
  async function appendParts(
    parts: DuckdbPacked[],
    how: 'append' | 'rehearse' = 'append',
  ): Promise<number[][]> {
    const asked = started()
    const answer = asked.call(how, [handOver(parts, ...parts.map(({ bytes }) => bytes))])
    return answered(asked, answer)
  }

  async function append(logs: StoredLog[]) {
    if (logs.length === 0) return { stored: [], duplicates: 0 }
    const groups = groupsOf(logs)
    const known = await appendParts(await packGroups(logs, groups))
    if (known.every((places) => places.length === 0)) return { stored: logs, duplicates: 0 }
    const duplicates = placesIn(groups, known)
    const stored = logs.filter((_, place) => !duplicates.has(place))
    return { stored, duplicates: duplicates.size }
  }

  async function* scan(selection: LogSelection, limits?: Limits) {
    const name = randomUUID()
    let after: Position | undefined
    let isOver = false
    try {
      while (!isOver) {
        const page = await call<ScanPage>('scanPage', [name, selection, after], limits)
        isOver = page.isLast
        const last = page.logs.at(-1)
        if (last) {
          after = { at: last.at, id: last.id }
          yield page.logs
        }
      }
    } finally {
      // Whoever leaves in the middle leaves nothing in memory.
      if (!isOver && thread && !isClosed) call('endScan', [name]).catch(() => {})
    }
  }

  const byIds: LogStore['byIds'] = (...asked) => call('byIds', asked)

  const store: LogStore = {
    engine: 'duckdb',
    packer: PACKER,
    damages: () => damages,
    // It is in this process; a disk without room is told by itself.
    state: () => 'up',
    append,
    appendPacked: (parts) => appendParts((parts as DuckdbPacked[]).map(copyOf)),
    unpack: unpackLogs,
    rehearse: () => ({
      append: (parts) => appendParts((parts as DuckdbPacked[]).map(copyOf), 'rehearse'),
      end: () => call('endRehearsal', []),
    }),
    rewrite: (logs) => call('rewrite', [logs]),
    finishRewrite: () => call('finishRewrite', []),
    search,
    byId: async (id) => (await byIds([id]))[0],
    byIds,
    scan,
    histogram: (request, limits) => call('histogram', [request], limits),
    // Every start asks for these: no thread is started to find that nothing was ever stored.
    fieldNames: async (selection, limits) =>
      !thread && !existsSync(directory)
        ? { names: [], partial: null }
        : call('fieldNames', [selection], limits),
    fields: (selection, limits) => call('fields', [selection], limits),
    topValues: (request, limits) => call('topValues', [request], limits),
    aggregate: (request, limits) => call('aggregate', [request], limits),
    sources: () => call('sources', []),
    stats: () => call('stats', []),
    retain: (retention, now) => call('retain', [retention, now]),
    async close() {
      if (isClosed) return
      isClosed = true
      await thread?.call('close', []).catch(() => {})
      await thread?.end()
      open.delete(directory)
    },
  }

  if (existsSync(directory)) void store.stats().catch((error) => log.error({ err: error }, 'logs'))
  return store
}

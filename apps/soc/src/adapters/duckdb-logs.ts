import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError, StartError, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import type { Limits, LogSelection, LogStore, Position, StoredLog } from '../ports/log-store.ts'
import type { Operation, Reply, Request } from './duckdb-logs/protocol.ts'
import type { ScanPage } from './duckdb-logs/scan-pages.ts'
import type { StoreSettings } from './duckdb-logs/store.ts'

/** So many events cross over at once: more would hold up the event loop. */
const PIECE_EVENTS = 500

const open = new Set<string>()

/**
 * The log store in a directory, on DuckDB in a worker thread. A directory that holds logs is opened
 * in the background at once, an empty one with the first call.
 */
export function openDuckdbLogs(options: {
  directory: string
  log: Pick<Logger, 'error' | 'warn'>
  threads?: number
  memoryMb?: number
  segmentEvents?: number
  partitionEvents?: number
  filterMb?: number
  reserveMb?: number
}): LogStore {
  const { log } = options
  const directory = path.resolve(options.directory)
  if (open.has(directory)) throw new StartError(`the log store in ${directory} is open already`)
  open.add(directory)

  const settings: StoreSettings = {
    directory,
    threads: options.threads ?? Math.min(4, availableParallelism()),
    memoryMb: options.memoryMb ?? 1024,
    segmentEvents: options.segmentEvents ?? 4_096,
    partitionEvents: options.partitionEvents ?? 10_000_000,
    filterMb: options.filterMb ?? 256,
    reserveMb: options.reserveMb ?? 256,
  }
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let worker: Worker | undefined
  let calls = 0
  let isClosed = false

  function start(): Worker {
    const started = new Worker(new URL('./duckdb-logs/log-store-worker.ts', import.meta.url), {
      workerData: settings,
      execArgv: [],
    })
    started.on('message', onReply)
    started.on('error', (error) => onDeath(started, error))
    started.on('exit', () => onDeath(started, new Error('it ended')))
    return started
  }

  function onReply(reply: Reply) {
    if ('warning' in reply) return log.warn(reply.warning)
    const call = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (waiting.size === 0) worker?.unref()
    if ('error' in reply) call?.reject(toError(reply.error))
    else call?.resolve(reply.value)
  }

  /** The next call starts another worker. */
  function onDeath(dead: Worker, cause: Error) {
    if (worker !== dead) return
    worker = undefined
    if (!isClosed) log.error({ err: cause }, 'the log store failed')
    for (const { reject } of waiting.values()) {
      reject(unavailable('the log store failed and starts again: send the request again', cause))
    }
    waiting.clear()
  }

  function begin(): { id: number; answer: Promise<unknown>; send(request: Request): void } {
    if (isClosed) throw unavailable('the log store is closed')
    worker ??= start()
    worker.ref()
    const id = ++calls
    const call = Promise.withResolvers<unknown>()
    waiting.set(id, call)
    const asked = worker
    return { id, answer: call.promise, send: (request) => asked.postMessage(request) }
  }

  async function call<T>(operation: Operation, args: unknown[], limits: Limits = {}): Promise<T> {
    const { signal, timeLimitMs } = limits
    signal?.throwIfAborted()
    const { id, answer, send } = begin()
    const cancel = () => send({ kind: 'cancel', id })
    signal?.addEventListener('abort', cancel, { once: true })
    send({ kind: 'call', id, operation, args, timeLimitMs })
    try {
      return (await answer) as T
    } finally {
      signal?.removeEventListener('abort', cancel)
      signal?.throwIfAborted()
    }
  }

  async function append(logs: StoredLog[]) {
    if (logs.length === 0) return { stored: [], duplicates: 0 }
    const { id, answer, send } = begin()
    // An answer may come while pieces are still on their way: when the worker dies.
    answer.catch(() => {})
    for (let from = 0; from < logs.length; from += PIECE_EVENTS) {
      const to = from + PIECE_EVENTS
      if (from > 0) await nextTurn()
      send({ kind: 'piece', id, logs: logs.slice(from, to), isLast: to >= logs.length })
    }
    const duplicates = new Set((await answer) as number[])
    return {
      stored: duplicates.size === 0 ? logs : logs.filter((_, place) => !duplicates.has(place)),
      duplicates: duplicates.size,
    }
  }

  async function* scan(selection: LogSelection, limits?: Limits) {
    const name = randomUUID()
    let after: Position | undefined
    for (;;) {
      const page = await call<ScanPage>('scanPage', [name, selection, after], limits)
      const last = page.logs.at(-1)
      if (last) {
        after = { at: last.at, id: last.id }
        yield page.logs
      }
      if (page.isLast) return
    }
  }

  const store: LogStore = {
    engine: 'duckdb',
    append,
    search: (request, limits) => call('search', [request], limits),
    byId: (id) => call('byId', [id]),
    scan,
    histogram: (request, limits) => call('histogram', [request], limits),
    fields: (selection, limits) => call('fields', [selection], limits),
    topValues: (request, limits) => call('topValues', [request], limits),
    sources: () => call('sources', []),
    stats: () => call('stats', []),
    retain: (retention, now) => call('retain', [retention, now]),
    async close() {
      if (isClosed) return
      const closing = worker ? begin() : undefined
      isClosed = true
      closing?.send({ kind: 'close', id: closing.id })
      await closing?.answer.catch(() => {})
      await worker?.terminate()
      open.delete(directory)
    },
  }

  if (existsSync(directory)) void store.stats().catch((error) => log.error({ err: error }, 'logs'))
  return store
}

function toError({ status, message }: { status: number | undefined; message: string }): Error {
  return status === undefined ? new Error(message) : new AppError(status, message)
}

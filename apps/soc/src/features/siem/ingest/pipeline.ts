import { setTimeout as pause } from 'node:timers/promises'
import { AppError, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import { FEW_CHARACTERS, inPieces } from '../../../ports/log-size.ts'
import type { LogStore, PackedLogs, StoredLog } from '../../../ports/log-store.ts'
import type { Counters } from './counters.ts'
import type { StoredListeners } from './listeners.ts'

type Job = {
  way: IngestWay
  logs: StoredLog[]
  /** Goes to the store with them, once. */
  packed: PackedLogs | undefined
  characters: number
  /** Nobody waits for an answer: kept while the store is away, as long as there is room. */
  isPatient: boolean
  /** Of these, so many were stored before. */
  duplicates: number
  done(error?: unknown): void
}

type StoreOptions = {
  isPatient?: boolean
  /** The same events as their store writes them. */
  packed?: PackedLogs | undefined
}

export type Limits = {
  events: number
  bytes: number
  /** Events in one call of the store, and calls under way: it writes what waits together. */
  batch: number
  calls: number
  retryMs: number
}

const LIMITS: Limits = {
  events: 100_000,
  bytes: 128 * 1024 * 1024,
  // Making events ready for the store takes a moment each: small batches keep the event loop free, and
  // those of large events are smaller.
  batch: 512,
  calls: 16,
  retryMs: 1_000,
}

const DAY_MS = 86_400_000

export type Pipeline = ReturnType<typeof createPipeline>

/** Between the ways in and the store: a bounded queue, written in groups, acknowledged when durable. */
export function createPipeline(deps: {
  append: LogStore['append']
  counters: Counters
  listeners: Pick<StoredListeners, 'tell'>
  /** Each event that was not there before, with its acknowledgement. */
  onStored?(log: StoredLog): void
  log: Pick<Logger, 'error' | 'warn'>
  limits?: Partial<Limits>
}) {
  const { append, counters, listeners, onStored, log } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const jobs: Job[] = []
  const stopping = new AbortController()
  let events = 0
  let bytes = 0
  let draining: Promise<void> | undefined
  let breath: Promise<void> | undefined
  let arrival: PromiseWithResolvers<void> | undefined
  let roomWanted: (() => void)[] = []

  const isFull = (more = 0) => events >= limits.events || bytes + more > limits.bytes

  /** Claims memory for what is about to be read: 429 when there is none. Release when answered. */
  function claim(size: number): () => void {
    if (isFull(size)) throw full()
    return hold(size)
  }

  /** For what has been read already; answers how to give it back. */
  function hold(size: number): () => void {
    bytes += size
    let isHeld = true
    return () => {
      if (isHeld) bytes -= size
      isHeld = false
      offerRoom()
    }
  }

  function offerRoom() {
    if (isFull()) return
    const waiting = roomWanted
    roomWanted = []
    for (const go of waiting) go()
  }

  /** Resolves at once, or when there is room again: what a socket is paused for. */
  function room(): Promise<void> {
    return isFull() ? new Promise((resolve) => roomWanted.push(resolve)) : Promise.resolve()
  }

  /**
   * Resolves when every event is on disk, with how many of them were before; rejects when that
   * cannot be said of all of them.
   */
  async function store(
    way: IngestWay,
    logs: StoredLog[],
    { isPatient = false, packed }: StoreOptions = {},
  ): Promise<number> {
    if (stopping.signal.aborted) throw unavailable('the service is stopping: send it again')
    counters.received(way, logs)
    const parts: Promise<number>[] = []
    // What is packed came in parts that are small already.
    const pieces =
      packed && logs.length > 0
        ? [{ logs, characters: 0 }]
        : inPieces(logs, { events: limits.batch })
    for (const piece of pieces) {
      parts.push(
        new Promise((resolve, reject) => {
          const job: Job = {
            ...{ ...piece, way, packed, isPatient, duplicates: 0 },
            done: (error) => (error === undefined ? resolve(job.duplicates) : reject(error)),
          }
          jobs.push(job)
        }),
      )
    }
    events += logs.length
    draining ??= drain()
    arrival?.resolve()
    const duplicates = await Promise.all(parts)
    return duplicates.reduce((sum, count) => sum + count, 0)
  }

  async function drain() {
    const calls = new Set<Promise<void>>()
    for (;;) {
      // What else arrives in this turn of the loop goes into the same write.
      await nextTurn()
      if (breath) await breath
      else if (jobs.length > 0 && calls.size < limits.calls) {
        const call: Promise<void> = commit(nextBatch()).finally(() => calls.delete(call))
        calls.add(call)
      } else if (calls.size > 0) {
        arrival = Promise.withResolvers()
        await Promise.race([...calls, arrival.promise])
      } else break
    }
    draining = undefined
  }

  /** The store is away and something waits for it: not asked again at once. */
  function takeBreath() {
    if (stopping.signal.aborted) return
    breath ??= pause(limits.retryMs, undefined, { signal: stopping.signal, ref: false })
      .catch(() => {})
      .finally(() => {
        breath = undefined
      })
  }

  /**
   * What is packed goes by itself, and what came in on two days in two calls: they go to two files,
   * and one may be stored while the other is not.
   */
  function nextBatch(): Job[] {
    let [count, characters, take] = [0, 0, 0]
    const day = dayOf(jobs[0])
    for (const job of jobs) {
      if (take > 0 && (job.packed || jobs[0]?.packed || dayOf(job) !== day)) break
      count += job.logs.length
      characters += job.characters
      if (take > 0 && (count > limits.batch || characters > FEW_CHARACTERS)) break
      take += 1
    }
    return jobs.splice(0, take)
  }

  async function commit(batch: Job[]): Promise<void> {
    const logs = batch.length === 1 ? (batch[0]?.logs ?? []) : batch.flatMap((job) => job.logs)
    const [packed] = batch.map((job) => job.packed)
    for (const job of batch) job.packed = undefined
    try {
      const { stored, duplicates } = await append(logs, packed)
      settle(batch, duplicates === 0 ? undefined : stored)
      listeners.tell(stored)
    } catch (error) {
      if (isAway(error)) return keepPatient(batch, error)
      if (batch.length > 1) {
        // Whatever it is, one request's events must not take the others' with them.
        for (const job of batch) await commit([job])
        return
      }
      log.error({ err: error }, 'events could not be stored')
      giveUp(batch, error)
    }
  }

  function settle(batch: Job[], stored: StoredLog[] | undefined) {
    const isStored = stored && new Set(stored.map(({ id }) => id))
    for (const job of batch) {
      for (const one of job.logs) {
        // Deleted when counted: of one id twice in a batch, one is stored.
        if (!isStored || isStored.delete(one.id)) {
          counters.stored(job.way, one)
          onStored?.(one)
        } else {
          job.duplicates += 1
          counters.duplicate(job.way, one)
        }
      }
      finish(job)
    }
  }

  function keepPatient(batch: Job[], error: unknown) {
    const patient = stopping.signal.aborted ? [] : batch.filter((job) => job.isPatient)
    giveUp(
      batch.filter((job) => !patient.includes(job)),
      error,
    )
    if (patient.length === 0) return
    jobs.unshift(...patient)
    takeBreath()
  }

  function giveUp(batch: Job[], error: unknown) {
    const reason = isAway(error) ? 'store_unavailable' : 'store_error'
    for (const job of batch) {
      counters.refusedLogs(job.way, reason, job.logs)
      finish(job, error)
    }
  }

  function finish(job: Job, error?: unknown) {
    events -= job.logs.length
    job.done(error)
    offerRoom()
  }

  return {
    claim,
    hold,
    room,
    store,
    depth: () => ({ events, bytes, most_events: limits.events, most_bytes: limits.bytes }),
    /** Writes what has been taken in, as far as the store lets it. */
    async stop() {
      stopping.abort()
      await draining
    },
  }
}

/** All events of a job were taken in at once. */
const dayOf = (job: Job | undefined) => Math.floor((job?.logs[0]?.received_at ?? 0) / DAY_MS)

const isAway = (error: unknown) => error instanceof AppError && error.status === 503

const full = () =>
  new AppError(429, 'the ingest queue is full: nothing was stored, send it again shortly', {
    retryAfter: 1,
  })

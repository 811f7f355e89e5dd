import { setTimeout as pause } from 'node:timers/promises'
import { AppError, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import { inPieces } from '../../../ports/log-size.ts'
import { type AppendDeps, createAppend } from './append-batch.ts'
import { type Arrived, arrivedIn, arrivedOf } from './arrived.ts'
import { createIngestRoom } from './ingest-room.ts'
import { type BatchLimits, gatheringMs, type Job, takeBatch } from './jobs.ts'
import type { Part } from './read/part.ts'

type StoreOptions = { isPatient?: boolean }

export type Limits = BatchLimits & {
  events: number
  bytes: number
  /** Calls of the store under way: it writes what waits together. */
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
  // A write takes as long for one event as for a thousand.
  together: 4_096,
  gatherMs: 150,
}

export type Pipeline = ReturnType<typeof createPipeline>

/** Between the ways in and the store: a bounded queue, written in groups, acknowledged when durable. */
export function createPipeline(
  deps: AppendDeps & {
    /** Whether events are being read that will be stored next. */
    isMoreComing?(): boolean
    log: Pick<Logger, 'error' | 'warn'>
    limits?: Partial<Limits>
  },
) {
  const { counters, isMoreComing = () => false, log } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const jobs: Job[] = []
  const stopping = new AbortController()
  const space = createIngestRoom(limits)
  const append = createAppend(deps, finish)
  let draining: Promise<void> | undefined
  let breath: Promise<void> | undefined
  let arrival: PromiseWithResolvers<void> | undefined

  /**
   * Resolves when every event is on disk, with how many of them were before; rejects when that
   * cannot be said of all of them.
   */
  async function store(
    way: IngestWay,
    arrived: Arrived,
    { isPatient = false }: StoreOptions = {},
  ): Promise<number> {
    if (stopping.signal.aborted) throw unavailable('the service is stopping: send it again')
    counters.received(way, arrived.tally)
    // What is packed came in parts that are small already.
    const pieces = arrived.packed ? [arrived] : piecesOf(arrived, limits.batch)
    const parts = pieces.map(
      (piece) =>
        new Promise<number>((resolve, reject) => {
          const job: Job = {
            ...{ way, arrived: piece, isPatient, duplicates: 0, since: performance.now() },
            done: (error) => (error === undefined ? resolve(job.duplicates) : reject(error)),
          }
          jobs.push(job)
        }),
    )
    space.enter(arrived.batch.size)
    draining ??= drain()
    arrival?.resolve()
    const duplicates = await Promise.all(parts)
    return duplicates.reduce((sum, count) => sum + count, 0)
  }

  const isGathering = () => !stopping.signal.aborted && isMoreComing()

  async function drain() {
    const calls = new Set<Promise<void>>()
    for (;;) {
      // What else arrives in this turn of the loop goes into the same write.
      await nextTurn()
      if (breath) await breath
      else if (jobs.length > 0 && calls.size < limits.calls) {
        const wait = isGathering() ? gatheringMs(jobs, limits) : 0
        if (wait > 0) {
          arrival = Promise.withResolvers()
          await Promise.race([arrival.promise, pause(wait)])
          continue
        }
        const call: Promise<void> = commit(takeBatch(jobs, limits)).finally(() =>
          calls.delete(call),
        )
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

  async function commit(batch: Job[]): Promise<void> {
    try {
      await append(batch)
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
      counters.refusedLogs(job.way, reason, job.arrived.tally)
      finish(job, error)
    }
  }

  function finish(job: Job, error?: unknown) {
    space.leave(job.arrived.batch.size)
    job.done(error)
    space.offer()
  }

  return {
    ...{ claim: space.claim, hold: space.hold, room: space.room, depth: space.depth },
    store,
    storePart: (way: IngestWay, part: Part, options?: StoreOptions) =>
      store(way, arrivedIn(part, deps.logs.unpack), options),
    /** Writes what has been taken in, as far as the store lets it. */
    async stop() {
      stopping.abort()
      await draining
    },
  }
}

function piecesOf(arrived: Arrived, events: number): Arrived[] {
  const pieces = [...inPieces(arrived.batch.logs(), { events })]
  return pieces.length === 1 ? [arrived] : pieces.map(({ logs }) => arrivedOf(logs))
}

const isAway = (error: unknown) => error instanceof AppError && error.status === 503

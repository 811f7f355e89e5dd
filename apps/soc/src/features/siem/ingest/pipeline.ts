import { setTimeout as pause } from 'node:timers/promises'
import { AppError, unavailable } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { nextTurn } from '@manara/kit/turns'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import { FEW_CHARACTERS, inPieces } from '../../../ports/log-size.ts'
import type { LogStore, StoredLog } from '../../../ports/log-store.ts'
import { type Arrived, arrivedIn, arrivedOf, without } from './arrived.ts'
import type { Counters } from './counters.ts'
import { createIngestRoom } from './ingest-room.ts'
import type { StoredListeners } from './listeners.ts'
import { storeOthers } from './other-index.ts'
import type { Part } from './read/part.ts'
import { type Tally, tallyOf } from './tally.ts'

type Job = {
  way: IngestWay
  arrived: Arrived
  /** Nobody waits for an answer: kept while the store is away, as long as there is room. */
  isPatient: boolean
  /** Of these, so many were stored before. */
  duplicates: number
  /** By the clock of this process. */
  since: number
  done(error?: unknown): void
}

type StoreOptions = { isPatient?: boolean }

export type Limits = {
  events: number
  bytes: number
  /** Events in one call of the store, and calls under way: it writes what waits together. */
  batch: number
  calls: number
  retryMs: number
  /** Packed events that are written together, and how long they wait for others that are being read. */
  together: number
  gatherMs: number
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

const DAY_MS = 86_400_000

export type Pipeline = ReturnType<typeof createPipeline>

/** Between the ways in and the store: a bounded queue, written in groups, acknowledged when durable. */
export function createPipeline(deps: {
  logs: Pick<LogStore, 'append' | 'appendPacked' | 'unpack'> & Partial<Pick<LogStore, 'byIds'>>
  counters: Counters
  listeners: Pick<StoredListeners, 'tell'>
  /** Whether events are being read that will be stored next. */
  isMoreComing?(): boolean
  /** Events that were not there before, with their acknowledgement. */
  onStored?(tally: Tally[], receivedAt: number): void
  log: Pick<Logger, 'error' | 'warn'>
  limits?: Partial<Limits>
}) {
  const { logs: target, counters, listeners, isMoreComing = () => false, onStored, log } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const jobs: Job[] = []
  const stopping = new AbortController()
  const space = createIngestRoom(limits)
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

  async function drain() {
    const calls = new Set<Promise<void>>()
    for (;;) {
      // What else arrives in this turn of the loop goes into the same write.
      await nextTurn()
      if (breath) await breath
      else if (jobs.length > 0 && calls.size < limits.calls) {
        const wait = gatheringMs()
        if (wait > 0) {
          arrival = Promise.withResolvers()
          await Promise.race([arrival.promise, pause(wait)])
          continue
        }
        const call: Promise<void> = commit(nextBatch()).finally(() => calls.delete(call))
        calls.add(call)
      } else if (calls.size > 0) {
        arrival = Promise.withResolvers()
        await Promise.race([...calls, arrival.promise])
      } else break
    }
    draining = undefined
  }

  /** How long the next packed events are worth waiting for others. */
  function gatheringMs(): number {
    const [first] = jobs
    if (!first?.arrived.packed || stopping.signal.aborted || !isMoreComing()) return 0
    let count = 0
    for (const { arrived } of jobs) {
      count += arrived.packed ? arrived.batch.size : limits.together
      if (count >= limits.together) return 0
    }
    return Math.max(0, first.since + limits.gatherMs - performance.now())
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
   * Packed or not, and of one day: those of two go to two files, and one may be stored while the
   * other is not.
   */
  function nextBatch(): Job[] {
    let [count, characters, take] = [0, 0, 0]
    const day = dayOf(jobs[0])
    const isPacked = jobs[0]?.arrived.packed !== undefined
    const most = isPacked ? limits.together : limits.batch
    for (const job of jobs) {
      const isAlike = (job.arrived.packed !== undefined) === isPacked && dayOf(job) === day
      if (take > 0 && !isAlike) break
      count += job.arrived.batch.size
      // What is packed is not made anew, however large.
      characters += isPacked ? 0 : job.arrived.batch.characters
      if (take > 0 && (count > most || characters > FEW_CHARACTERS)) break
      take += 1
    }
    return jobs.splice(0, take)
  }

  async function commit(batch: Job[]): Promise<void> {
    try {
      await (batch.every(({ arrived }) => arrived.packed) ? appendPacked(batch) : appendAll(batch))
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

  async function appendPacked(batch: Job[]) {
    const parts = batch.flatMap(({ arrived }) => arrived.packed ?? [])
    const known = (await target.appendPacked?.(parts)) ?? []
    await Promise.all(batch.map((job, at) => settleKnown(job, new Set(known[at]))))
  }

  async function appendAll(batch: Job[]) {
    const all = batch.map((job) => job.arrived.batch.logs())
    const { stored, duplicates } = await target.append(all.flat())
    const isStored = new Set(duplicates === 0 ? [] : stored.map(({ id }) => id))
    const settling = batch.map((job, at) => {
      const known = new Set<number>()
      for (const [place, { id }] of duplicates === 0 ? [] : (all[at] ?? []).entries()) {
        // Deleted when met: of one id twice in a batch, one is stored.
        if (!isStored.delete(id)) known.add(place)
      }
      return settleKnown(job, known)
    })
    await Promise.all(settling)
  }

  /** An id of a document may be known from another index: that is another event. */
  async function settleKnown(job: Job, known: Set<number>) {
    if (known.size === 0 || job.way !== 'elastic') return settle(job, known)
    try {
      const others = await storeOthers(target, job.arrived.batch.logs(), known)
      for (const place of others.keys()) known.delete(place)
      settle(job, known, others)
    } catch (error) {
      // What came with them is on disk; their sender sends all of it again.
      settle(job, known, undefined, error)
    }
  }

  /** All of it is on disk; those at these places were before, and `others` have another id. */
  function settle(
    job: Job,
    known: ReadonlySet<number>,
    others?: ReadonlyMap<number, StoredLog>,
    error?: unknown,
  ) {
    const { batch } = job.arrived
    const fresh = without(job.arrived, known, others)
    if (known.size > 0) {
      const before = batch.logs().filter((_, place) => known.has(place))
      counters.duplicates(job.way, tallyOf(before))
    }
    job.duplicates = known.size
    if (fresh.batch.size > 0) {
      counters.stored(job.way, fresh.tally, batch.receivedAt)
      onStored?.(fresh.tally, batch.receivedAt)
    }
    finish(job, error)
    listeners.tell(fresh)
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
      store(way, arrivedIn(part, target.unpack), options),
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

/** All events of a job were taken in at once. */
const dayOf = (job: Job | undefined) => Math.floor((job?.arrived.batch.receivedAt ?? 0) / DAY_MS)

const isAway = (error: unknown) => error instanceof AppError && error.status === 503

import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import { FEW_CHARACTERS } from '../../../ports/log-size.ts'
import type { Arrived } from './arrived.ts'

/** Events on their way to the store, of one sender. */
export type Job = {
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

export type BatchLimits = {
  /** Events in one call of the store. */
  batch: number
  /** Packed events that are written together, and how long they wait for others that are being read. */
  together: number
  gatherMs: number
}

const DAY_MS = 86_400_000

/**
 * Takes the next ones off the queue. Packed or not, and of one day: those of two go to two files, and
 * one may be stored while the other is not.
 */
export function takeBatch(jobs: Job[], limits: BatchLimits): Job[] {
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

/** How long the next packed events are worth waiting for others that are being read. */
export function gatheringMs(jobs: readonly Job[], limits: BatchLimits): number {
  const [first] = jobs
  if (!first?.arrived.packed) return 0
  let count = 0
  for (const { arrived } of jobs) {
    count += arrived.packed ? arrived.batch.size : limits.together
    if (count >= limits.together) return 0
  }
  return Math.max(0, first.since + limits.gatherMs - performance.now())
}

/** All events of a job were taken in at once. */
const dayOf = (job: Job | undefined) => Math.floor((job?.arrived.batch.receivedAt ?? 0) / DAY_MS)

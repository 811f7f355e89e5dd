import { AppError, conflict } from '@manara/kit/errors'
import { giveBack } from '@manara/kit/give-back'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import type { Mode } from '../../../core/mode/mode.ts'
import type { Budget } from './budget.ts'
import type { Counters } from './counters.ts'
import type { Rejection } from './piece.ts'
import type { Pipeline } from './pipeline.ts'
import type { Format, Part } from './read/part.ts'
import type { ReadParts } from './read-parts.ts'

/** What became of a request's events; of the rejected ones the first are told. */
export type Taken = {
  accepted: number
  rejected: number
  errors: Rejection[]
  /** Of the accepted, those whose id was stored before. */
  duplicates: number
}

export type TakeOptions = {
  /** A protocol that takes all or nothing: what to answer for the first that is none. */
  refuse?(rejection: Rejection): Error
  /** Hears of every part, in their order. */
  onPart?(part: Part): void
}

/** Nobody reads the body after its events were taken. */
type Sent = { format: Format; body: Buffer }

export type Sender = { id: string; name: string }

export type Intake = ReturnType<typeof createIntake>

const MOST_ERRORS = 100
/** Parts of one request on their way to the disk: what was read and not yet stored is in memory. */
const MOST_STORING = 32

/** What all ways in over HTTP share: whether they may, what came, and that it is stored. */
export function createIntake(deps: {
  mode: Mode
  pipeline: Pipeline
  counters: Counters
  budget: Budget
  readParts: ReadParts
}) {
  const { mode, pipeline, counters, budget } = deps

  /** Before the body is read: 409, 429, or a claim on memory to release with the answer. */
  function admit(way: IngestWay, sender: Sender, size: number): () => void {
    if (!mode.runsPipelines) {
      throw conflict(`log events are not taken in ${mode.name} mode: nothing was stored`)
    }
    try {
      budget.check(sender.id)
    } catch (error) {
      counters.refused(way, 'rate_limit')
      throw error
    }
    return claim(way, size)
  }

  function claim(way: IngestWay, size: number): () => void {
    try {
      return pipeline.claim(size)
    } catch (error) {
      counters.refused(way, 'queue_full')
      throw error
    }
  }

  /** The body is gone afterwards: kept until V8 cleans up, bodies make that happen often. */
  async function* readAll(way: IngestWay, sender: Sender, sent: Sent) {
    try {
      yield* deps.readParts({ way, ...sent }, { sender, budget })
    } finally {
      giveBack(sent.body)
    }
  }

  /** Resolves when all that was not rejected is on disk; with `refuse` a rejection stops all of it. */
  async function take(
    way: IngestWay,
    sender: Sender,
    sent: Sent,
    { refuse, onPart }: TakeOptions = {},
  ): Promise<Taken> {
    const taken: Taken = { accepted: 0, rejected: 0, errors: [], duplicates: 0 }
    const storing = new Set<Promise<void>>()
    let failure: { error: unknown } | undefined
    for await (const part of readAll(way, sender, sent)) {
      if ('refusal' in part) throw refuse?.(part.refusal) ?? new Error(part.refusal.message)
      taken.accepted += part.size
      taken.rejected += part.rejections.length
      taken.errors.push(...part.rejections.slice(0, MOST_ERRORS - taken.errors.length))
      onPart?.(part)
      const stored: Promise<void> = pipeline
        .storePart(way, part)
        .then((duplicates) => {
          taken.duplicates += duplicates
        })
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => storing.delete(stored))
      storing.add(stored)
      if (storing.size >= MOST_STORING) await Promise.race(storing)
      if (failure) break
    }
    await Promise.all(storing)
    if (failure) throw failure.error
    return taken
  }

  /** A body that could not be read at all counts as one refusal. */
  function noteUnreadable(way: IngestWay, error: unknown) {
    if (error instanceof AppError && error.status === 400) counters.refused(way, 'invalid')
  }

  return { admit, claim, take, noteUnreadable }
}

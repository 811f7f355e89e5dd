import { AppError, conflict } from '@manara/kit/errors'
import { startTurns } from '@manara/kit/turns'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import type { Mode } from '../../../core/mode/mode.ts'
import { type Incoming, type NormalisedLog, normalise } from '../normalise/normalise.ts'
import type { Budget } from './budget.ts'
import type { Counters } from './counters.ts'
import type { Pipeline } from './pipeline.ts'

/** An event that is not one, with what was wrong. */
export type Rejected = { rejected: string; field?: string | undefined; isTooLarge?: boolean }
export type Piece = Incoming | Rejected

export type Rejection = { index: number; field?: string | undefined; message: string }
export type ReadEvents = { logs: NormalisedLog[]; rejections: Rejection[] }

export type Intake = ReturnType<typeof createIntake>

/** What all ways in over HTTP share: whether they may, what came, and that it is stored. */
export function createIntake(deps: {
  mode: Mode
  pipeline: Pipeline
  counters: Counters
  budget: Budget
  newId(): string
  now(): number
}) {
  const { mode, pipeline, counters, budget } = deps

  /** Before the body is read: 409, 429, or a claim on memory to release with the answer. */
  function admit(way: IngestWay, sender: string, size: number): () => void {
    if (!mode.runsPipelines) {
      throw conflict(`log events are not taken in ${mode.name} mode: nothing was stored`)
    }
    try {
      budget.check(sender)
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

  /** Resolves when all that was not rejected is on disk; with `refuse` a rejection stops all of it. */
  async function take(
    way: IngestWay,
    sender: string,
    pieces: Iterable<Piece>,
    refuse?: (rejection: Rejection) => Error,
  ): Promise<ReadEvents> {
    const events = await read(way, pieces)
    const [first] = events.rejections
    if (first && refuse) throw refuse(first)
    budget.spend(sender, events.logs.length)
    await pipeline.store(way, events.logs)
    return events
  }

  async function read(way: IngestWay, pieces: Iterable<Piece>): Promise<ReadEvents> {
    const turn = startTurns()
    const receivedAt = deps.now()
    const arrival = { receivedAt, way: way.replace(/_.*/, ''), newId: deps.newId }
    const events: ReadEvents = { logs: [], rejections: [] }
    let index = 0
    for (const piece of pieces) {
      if ('rejected' in piece) {
        counters.refused(way, piece.isTooLarge ? 'too_large' : 'invalid')
        events.rejections.push({ index, field: piece.field, message: piece.rejected })
      } else events.logs.push(normalise(piece, arrival))
      index += 1
      const isOver = turn()
      if (isOver) await isOver
    }
    return events
  }

  /** A body that could not be read at all counts as one refusal. */
  function noteUnreadable(way: IngestWay, error: unknown) {
    if (error instanceof AppError && error.status === 400) counters.refused(way, 'invalid')
  }

  return { admit, claim, take, noteUnreadable }
}

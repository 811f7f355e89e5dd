import {
  BIGINT,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api'
import { collectGarbage } from '@manara/kit/collect-garbage'
import { unavailable } from '@manara/kit/errors'
import type { Limits } from '../../ports/log-store.ts'
import { createAnswerMemory } from './answer-memory.ts'

/** Thrown when the time limit ended a statement: what was found before still counts. */
export class TimeLimitReached extends Error {}

export type Budget = { signal: AbortSignal | undefined; deadline: number }

export const budgetOf = ({ signal, timeLimitMs }: Limits = {}): Budget => ({
  signal,
  deadline: timeLimitMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeLimitMs,
})

export const NO_BUDGET: Budget = { signal: undefined, deadline: Number.POSITIVE_INFINITY }

export function blobOf(value: DuckDBValue | undefined): Uint8Array {
  if (!(value instanceof DuckDBBlobValue)) throw new Error('this column holds no bytes')
  return value.bytes
}

export type Value = string | number

/** Whole numbers as such: a statement may need one for its LIMIT. */
export const bound = (values: Value[]) =>
  [
    values.map((value) => (Number.isSafeInteger(value) ? BigInt(value) : value)),
    values.map((value) =>
      typeof value === 'string' ? VARCHAR : Number.isSafeInteger(value) ? BIGINT : DOUBLE,
    ),
  ] as const

export type Readers = Awaited<ReturnType<typeof createReaders>>

const STOP_AGAIN_MS = 20

const closing = () => unavailable('the log store is closing: send the request again')

/** How much a statement reads: a list, what a filter has chosen, or all there is. */
export type Weight = 0 | 1 | 2

/** So many statements of this weight or more may run at once. */
const AT_ONCE = [3, 2, 1] as const

type Waiting = { weight: Weight; begin(): void; leave(): void }

/**
 * A connection for each weight; together they leave room in the thread pool for the writer and the
 * rest of the process. A light statement may take any of them and a heavy one only the last, so that
 * each waits for those of its own weight and for lighter ones, never for heavier.
 */
export async function createReaders(connect: () => Promise<DuckDBConnection>) {
  const idle = await Promise.all(AT_ONCE.map(connect))
  const all = [...idle]
  const waiting: Waiting[] = []
  const running: Record<Weight, number> = { 0: 0, 1: 0, 2: 0 }
  const memory = createAnswerMemory({ collect: collectGarbage })
  /** Each ends a statement that runs. */
  const stops = new Set<() => void>()
  let isEnding = false

  function mayBegin(weight: Weight): boolean {
    const heavier = { 0: running[0] + running[1], 1: running[1], 2: 0 }
    return idle.length > 0 && heavier[weight] + running[2] < AT_ONCE[weight]
  }

  /** Whoever leaves while waiting costs nothing more. */
  function take(weight: Weight, signal: AbortSignal | undefined): Promise<DuckDBConnection> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        running[weight] += 1
        resolve(idle.pop() as DuckDBConnection)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(signal?.aborted ? signal.reason : closing())
      }
      const turn: Waiting = { weight, begin, leave }
      if (mayBegin(weight)) return begin()
      waiting.push(turn)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** The lightest that waits comes next, of those who waited longest. */
  function giveBack(connection: DuckDBConnection, weight: Weight) {
    idle.push(connection)
    running[weight] -= 1
    const next = waiting
      .filter((turn) => mayBegin(turn.weight))
      .reduce<Waiting | undefined>(
        (best, turn) => (best && best.weight <= turn.weight ? best : turn),
        undefined,
      )
    if (!next) return
    waiting.splice(waiting.indexOf(next), 1)
    next.begin()
  }

  return {
    /** All rows of one statement; stops the engine when the budget ends. */
    async read(
      sql: string,
      values: Value[],
      budget: Budget,
      weight: Weight = 0,
    ): Promise<DuckDBValue[][]> {
      budget.signal?.throwIfAborted()
      if (isEnding) throw closing()
      const connection = await take(weight, budget.signal)
      let stopping: NodeJS.Timeout | undefined
      // Again and again: a word that comes before the engine has begun is forgotten when it does.
      const stop = () => {
        connection.interrupt()
        stopping ??= setInterval(() => connection.interrupt(), STOP_AGAIN_MS)
      }
      let timer: NodeJS.Timeout | undefined
      stops.add(stop)
      try {
        budget.signal?.throwIfAborted()
        if (isEnding) throw closing()
        const left = budget.deadline - performance.now()
        if (left <= 0) throw new TimeLimitReached()
        if (left < 2 ** 31) timer = setTimeout(stop, left)
        budget.signal?.addEventListener('abort', stop)
        const reader = await connection.runAndReadAll(sql, ...bound(values))
        const rows = reader.getRows()
        memory.note(rows)
        return rows
      } catch (error) {
        budget.signal?.throwIfAborted()
        if (performance.now() >= budget.deadline) throw new TimeLimitReached()
        if (isEnding) throw closing()
        throw error
      } finally {
        stops.delete(stop)
        clearTimeout(timer)
        clearInterval(stopping)
        budget.signal?.removeEventListener('abort', stop)
        giveBack(connection, weight)
      }
    },
    /** What runs or waits ends with an error, and nothing more begins: a stop has seconds, not minutes. */
    end() {
      isEnding = true
      for (const turn of [...waiting]) turn.leave()
      for (const stop of stops) stop()
    },
    close() {
      for (const connection of all) connection.closeSync()
    },
  }
}

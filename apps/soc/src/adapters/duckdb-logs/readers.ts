import {
  BIGINT,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api'
import type { Limits } from '../../ports/log-store.ts'

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

type Waiting = { isHeavy: boolean; begin(): void }

/**
 * A few connections for all searches; together they leave room in the thread pool for the writer and
 * the rest of the process. One of them is never given to a heavy statement, so that a light one waits
 * for light ones only.
 */
export async function createReaders(connect: () => Promise<DuckDBConnection>, count: number) {
  const idle = await Promise.all(Array.from({ length: count }, connect))
  const all = [...idle]
  const waiting: Waiting[] = []
  let heavy = 0

  const mayBegin = (isHeavy: boolean) => idle.length > 0 && !(isHeavy && heavy >= count - 1)

  /** Whoever leaves while waiting costs nothing more. */
  function take(isHeavy: boolean, signal: AbortSignal | undefined): Promise<DuckDBConnection> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        if (isHeavy) heavy += 1
        resolve(idle.pop() as DuckDBConnection)
      }
      const turn: Waiting = { isHeavy, begin }
      const leave = () => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(signal?.reason)
      }
      if (mayBegin(isHeavy)) return begin()
      waiting.push(turn)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  function giveBack(connection: DuckDBConnection, isHeavy: boolean) {
    idle.push(connection)
    if (isHeavy) heavy -= 1
    const at = waiting.findIndex((turn) => mayBegin(turn.isHeavy))
    if (at >= 0) waiting.splice(at, 1)[0]?.begin()
  }

  return {
    /** All rows of one statement; stops the engine when the budget ends. */
    async read(
      sql: string,
      values: Value[],
      budget: Budget,
      isHeavy = false,
    ): Promise<DuckDBValue[][]> {
      budget.signal?.throwIfAborted()
      const connection = await take(isHeavy, budget.signal)
      let stopping: NodeJS.Timeout | undefined
      // Again and again: a word that comes before the engine has begun is forgotten when it does.
      const stop = () => {
        connection.interrupt()
        stopping ??= setInterval(() => connection.interrupt(), STOP_AGAIN_MS)
      }
      let timer: NodeJS.Timeout | undefined
      try {
        budget.signal?.throwIfAborted()
        const left = budget.deadline - performance.now()
        if (left <= 0) throw new TimeLimitReached()
        if (left < 2 ** 31) timer = setTimeout(stop, left)
        budget.signal?.addEventListener('abort', stop)
        const reader = await connection.runAndReadAll(sql, ...bound(values))
        return reader.getRows()
      } catch (error) {
        budget.signal?.throwIfAborted()
        if (performance.now() >= budget.deadline) throw new TimeLimitReached()
        throw error
      } finally {
        clearTimeout(timer)
        clearInterval(stopping)
        budget.signal?.removeEventListener('abort', stop)
        giveBack(connection, isHeavy)
      }
    },
    close() {
      for (const connection of all) connection.closeSync()
    },
  }
}

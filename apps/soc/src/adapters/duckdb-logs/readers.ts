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

/**
 * A few connections for all searches: a long one does not hold up the others, and together they
 * leave room in the thread pool for the writer and the rest of the process.
 */
export async function createReaders(connect: () => Promise<DuckDBConnection>, count: number) {
  const idle = await Promise.all(Array.from({ length: count }, connect))
  const all = [...idle]
  const waiting: ((connection: DuckDBConnection) => void)[] = []

  const take = () => {
    const connection = idle.pop()
    if (connection) return Promise.resolve(connection)
    return new Promise<DuckDBConnection>((resolve) => waiting.push(resolve))
  }
  const giveBack = (connection: DuckDBConnection) => {
    const next = waiting.shift()
    if (next) next(connection)
    else idle.push(connection)
  }

  return {
    /** All rows of one statement; stops the engine when the budget ends. */
    async read(sql: string, values: Value[], budget: Budget): Promise<DuckDBValue[][]> {
      budget.signal?.throwIfAborted()
      const connection = await take()
      const stop = () => connection.interrupt()
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
        budget.signal?.removeEventListener('abort', stop)
        giveBack(connection)
      }
    },
    close() {
      for (const connection of all) connection.closeSync()
    },
  }
}

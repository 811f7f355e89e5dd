import {
  BIGINT,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api'
import { collectGarbage } from '@manara/kit/collect-garbage'
import { unavailable } from '@manara/kit/errors'
import { mapInTurns } from '@manara/kit/turns'
import type { Limits } from '../../ports/log-store.ts'
import { createAnswerMemory } from './answer-memory.ts'
import { CONNECTIONS, createTurns, type Weight } from './reader-turns.ts'

/** Thrown when the time limit ended a statement: what was found before still counts. */
export class TimeLimitReached extends Error {}

/** How long the statements of a question ran: the last of them, and all. */
export type Taken = { lastMs: number; allMs: number }

export type Budget = {
  signal: AbortSignal | undefined
  deadline: number
  taken?: Taken
  /** Its statements are not lighter than this. */
  least?: 0 | 1
}

export const nothingTaken = (): Taken => ({ lastMs: 0, allMs: 0 })

export const budgetOf = ({ signal, timeLimitMs }: Limits = {}, taken = nothingTaken()): Budget => ({
  signal,
  deadline: timeLimitMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeLimitMs,
  taken,
})

export const NO_BUDGET: Budget = { signal: undefined, deadline: Number.POSITIVE_INFINITY }

/** The same limits for statements that run at the same time and have a pace of their own. */
export const budgetBeside = ({ signal, deadline }: Budget): Budget => ({
  signal,
  deadline,
  taken: nothingTaken(),
})

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

export async function createReaders(connect: () => Promise<DuckDBConnection>) {
  const all = await Promise.all(Array.from({ length: CONNECTIONS }, connect))
  const turns = createTurns(all)
  const memory = createAnswerMemory({ collect: collectGarbage })
  /** Each ends a statement that runs. */
  const stops = new Set<() => void>()
  let isEnding = false

  /** The connection is for the next one when the statement has run: its rows need none. */
  async function runInTurn(sql: string, values: Value[], budget: Budget, weight: Weight) {
    const connection = await turns.take(weight, budget.signal)
    let stopping: NodeJS.Timeout | undefined
    // Again and again: a word that comes before the engine has begun is forgotten when it does.
    const stop = () => {
      connection.interrupt()
      stopping ??= setInterval(() => connection.interrupt(), STOP_AGAIN_MS)
    }
    let timer: NodeJS.Timeout | undefined
    const began = performance.now()
    stops.add(stop)
    try {
      budget.signal?.throwIfAborted()
      if (isEnding) throw closing()
      const left = budget.deadline - performance.now()
      if (left <= 0) throw new TimeLimitReached()
      if (left < 2 ** 31) timer = setTimeout(stop, left)
      budget.signal?.addEventListener('abort', stop)
      return await runOn(connection, sql, values)
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
      noteTaken(budget, performance.now() - began)
      turns.giveBack(connection, weight)
    }
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
      const result = await runInTurn(sql, values, budget, weight)
      const rows = await rowsOf(result)
      memory.note(rows)
      return rows
    },
    /** What runs or waits ends with an error, and nothing more begins: a stop has seconds, not minutes. */
    end() {
      isEnding = true
      turns.end(closing())
      for (const stop of stops) stop()
    },
    close() {
      for (const connection of all) connection.closeSync()
    },
  }
}

/** In two steps beside the event loop; the connection's own way takes one for each chunk, and parses twice. */
async function runOn(connection: DuckDBConnection, sql: string, values: Value[]) {
  const prepared = await connection.prepare(sql)
  try {
    prepared.bind(...bound(values))
    return await prepared.run()
  } finally {
    prepared.destroySync()
  }
}

/** Thousands of rows take a while, also the two thousand of a chunk: others are answered between. */
async function rowsOf(result: DuckDBMaterializedResult): Promise<DuckDBValue[][]> {
  const parts: DuckDBValue[][][] = []
  for (let at = 0; at < result.chunkCount; at++) {
    const chunk = result.getChunk(at)
    const columns = Array.from({ length: chunk.columnCount }, (_, column) =>
      chunk.getColumnVector(column),
    )
    const rows = Array.from({ length: chunk.rowCount }, (_, row) => row)
    parts.push(await mapInTurns(rows, (row) => columns.map((column) => column.getItem(row))))
  }
  return parts.flat()
}

function noteTaken({ taken }: Budget, ms: number) {
  if (!taken) return
  taken.lastMs = ms
  taken.allMs += ms
}

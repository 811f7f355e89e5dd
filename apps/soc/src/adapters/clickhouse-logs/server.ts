import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ClickHouseError, createClient } from '@clickhouse/client'
import { afterSteps } from '@manara/kit/after-steps'
import { unavailable } from '@manara/kit/errors'
import { type Binding, createLiterals, createParameters } from './binding.ts'
import { NoAnswerInTime } from './deadline.ts'
import { KNOWS_INDEXES } from './schema.ts'
import { whyRefused } from './why-refused.ts'

/** One ClickHouse server. Every call rejects with an AppError 503 while it cannot do its work. */
export type Server = {
  /** Host and port. */
  readonly name: string
  /** False for a while after it could not be reached. */
  isUp(): boolean
  /** Rejects with what is wrong when it does not do what is asked, or only takes its time. */
  feel(): Promise<void>
  newBinding(): Binding
  command(statement: string): Promise<void>
  insert(table: string, rows: object[]): Promise<void>
  /** Resolves when no insert goes on whose answer was lost: only then it is known what is stored. */
  settled(): Promise<void>
  select<Row>(statement: string, options?: SelectOptions): Promise<Row[]>
  close(): Promise<void>
}

export type SelectOptions = {
  binding?: Binding | undefined
  /** Rejects with the signal's reason; the server stops working on it. */
  signal?: AbortSignal | undefined
  /** After so long the server answers what it has; whole seconds. */
  stopAfterMs?: number | undefined
  /** After so long it is given up with `NoAnswerInTime`; the server stops working on it. */
  giveUpAfterMs?: number | undefined
  /** After reading about so many rows the server answers what it has. */
  mostRows?: number | undefined
}

const RETRY_MS = 3_000
/** For what a server has when it stops to arrive. */
const GRACE_MS = 1_000
/** For what has to get through however many others wait. */
const ASIDE_MS = 5_000
/** So long an insert may go on after its answer was lost, before callers are told to come again. */
const SETTLE_MS = 10_000
const LOOK_MS = 50
const STILL_BUSY = 'still storing what it was sent before: try again shortly'
/** Query parameters came with 19.14. */
const KNOWS_PARAMETERS = 20

/** `prepare` is given the major version and makes the tables; it is repeated until it succeeds. */
export function createServer(
  url: string,
  prepare: (server: Pick<Server, 'command' | 'select'>, major: number) => Promise<void>,
): Server {
  const { host: name } = new URL(url)
  const connect = (request_timeout: number, max_open_connections: number) =>
    createClient({
      ...{ url, request_timeout, max_open_connections },
      // Failures reach the caller; the library would print them as well.
      log: { level: 127 },
    })
  const client = connect(120_000, 16)
  const aside = connect(2 * ASIDE_MS, 4)
  let downUntil = 0
  let major = 0
  let preparing: Promise<void> | undefined
  /** Inserts that nobody knows the end of. */
  const unsure = new Set<string>()

  function ready(): Promise<void> {
    preparing ??= (async () => {
      const [row] = await select<{ version: string }>('SELECT version() AS version')
      major = Number.parseInt(row?.version ?? '', 10)
      await prepare({ command, select }, major)
    })().catch((error) => {
      preparing = undefined
      throw error
    })
    return preparing
  }

  function explained(error: unknown): unknown {
    const code = codeOf(error)
    return code ? (whyRefused(code, error as Error, name) ?? error) : unreachable(error)
  }

  const unreachable = (error: unknown) =>
    unavailable(
      `ClickHouse at ${name} cannot be reached: look after that server, or mend CLICKHOUSE_URL`,
      error,
    )

  async function attempt<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      const result = await work()
      downUntil = 0
      return result
    } catch (error) {
      // That a caller has gone says nothing about the server.
      signal?.throwIfAborted()
      if (!codeOf(error)) downUntil = performance.now() + RETRY_MS
      throw explained(error)
    }
  }

  const command = (query: string) =>
    attempt(async () => void (await client.command({ query, clickhouse_settings: STATEMENTS })))

  async function insert(table: string, values: object[]) {
    const query_id = randomUUID()
    try {
      await client.insert({ table, values, query_id, format: 'JSONEachRow' })
    } catch (error) {
      if (!codeOf(error)) unsure.add(query_id)
      throw error
    }
  }

  async function settled() {
    const giveUpAt = performance.now() + SETTLE_MS
    while (unsure.size > 0) {
      const ids = [...unsure]
      const running = await select<{ query_id: string }>(
        `SELECT query_id FROM system.processes WHERE query_id IN ('${ids.join("', '")}')`,
      )
      const left = new Set(running.map(({ query_id }) => query_id))
      for (const id of ids) if (!left.has(id)) unsure.delete(id)
      if (unsure.size === 0) return
      if (performance.now() > giveUpAt) throw unavailable(`ClickHouse at ${name} is ${STILL_BUSY}`)
      await wait(LOOK_MS)
    }
  }

  async function select<Row>(statement: string, options: SelectOptions = {}): Promise<Row[]> {
    const { binding, signal, stopAfterMs, giveUpAfterMs, mostRows } = options
    signal?.throwIfAborted()
    const query_id = randomUUID()
    // When a connection ends, old servers work on: tell them.
    const kill = () =>
      void aside.command({ query: `KILL QUERY WHERE query_id = '${query_id}'` }).catch(() => {})
    signal?.addEventListener('abort', kill, { once: true })
    const run = async () => {
      const result = await client.query({
        query: statement,
        query_id,
        format: 'JSONEachRow',
        ...(binding ? { query_params: binding.parameters } : {}),
        ...(signal ? { abort_signal: signal } : {}),
        clickhouse_settings: {
          ...READING,
          ...(giveUpAfterMs ? throwAfter(giveUpAfterMs) : {}),
          ...(stopAfterMs ? stopAfter(stopAfterMs) : {}),
          ...(mostRows ? { max_rows_to_read: String(mostRows), read_overflow_mode: 'break' } : {}),
        },
      })
      return (await result.json<Row>()) as Row[]
    }
    try {
      return await attempt(run, signal)
    } finally {
      signal?.removeEventListener('abort', kill)
    }
  }

  const noAnswer = (error?: unknown) =>
    new NoAnswerInTime(`ClickHouse at ${name} had not answered`, { cause: error })

  /** As `select`, as long as it may take; waiting for the server to be ready counts too. */
  async function selectInTime<Row>(statement: string, options: SelectOptions): Promise<Row[]> {
    const mostMs = patienceOf(options)
    const { signal } = options
    const over = new AbortController()
    const stopWaiting =
      mostMs === undefined ? () => {} : afterSteps(mostMs, () => over.abort(noAnswer()))
    const ending = AbortSignal.any([over.signal, ...(signal ? [signal] : [])])
    try {
      await unless(ending, ready())
      return await select<Row>(statement, { ...options, signal: ending })
    } catch (error) {
      throw isOutOfTime(error) ? noAnswer(error) : error
    } finally {
      stopWaiting()
    }
  }

  /** On a connection of its own: a busy pool is no sign of a lost server. */
  async function feel() {
    const silent = new AbortController()
    const stopWaiting = afterSteps(ASIDE_MS, () =>
      silent.abort(
        unavailable(
          `ClickHouse at ${name} does not answer: look after that server, or start it again`,
        ),
      ),
    )
    const asking = aside.query({ query: 'SELECT 1', format: 'JSONEachRow' })
    try {
      const answered = asking
        .then((result) => result.json())
        .catch((error: unknown) => {
          throw explained(error)
        })
      await unless(silent.signal, answered.then(ready))
    } finally {
      stopWaiting()
    }
  }

  return {
    name,
    feel,
    isUp: () => performance.now() >= downUntil,
    newBinding: () => ({
      ...(major >= KNOWS_PARAMETERS ? createParameters() : createLiterals()),
      hasTexts: major >= KNOWS_INDEXES,
    }),
    async command(statement) {
      await ready()
      await command(statement)
    },
    async insert(table, values) {
      await ready()
      await attempt(() => insert(table, values))
    },
    settled,
    select: (statement, options = {}) => selectInTime(statement, options),
    async close() {
      await Promise.all([client.close(), aside.close()])
    },
  }
}

// A rule of thousands of values is a long statement.
const STATEMENTS = { max_query_size: '16777216' } as const
const READING = {
  ...STATEMENTS,
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '4000000',
  max_ast_depth: '10000',
  skip_unavailable_shards: 1,
} as const

const secondsIn = (ms: number) => Math.max(1, Math.floor(ms / 1_000))

const stopAfter = (ms: number) =>
  ({ max_execution_time: secondsIn(ms), timeout_overflow_mode: 'break' }) as const

/** A server that nobody could tell to stop does so by itself, and not because it guesses to be late. */
const throwAfter = (ms: number) =>
  ({
    max_execution_time: Math.ceil(ms / 1_000),
    timeout_overflow_mode: 'throw',
    timeout_before_checking_execution_speed: 0,
  }) as const

function patienceOf({ stopAfterMs, giveUpAfterMs }: SelectOptions): number | undefined {
  if (stopAfterMs === undefined) return giveUpAfterMs
  return Math.max(stopAfterMs, secondsIn(stopAfterMs) * 1_000 + GRACE_MS)
}

const TOOK_TOO_LONG = '159'
const isOutOfTime = (error: unknown) => codeOf(error) === TOOK_TOO_LONG

/** What is waited for goes on for others. */
async function unless<T>(ending: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(ending.reason)
  if (ending.aborted) end()
  ending.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    ending.removeEventListener('abort', end)
  }
}

/** What the server itself refused has a number; the library reads that of newer servers only. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof ClickHouseError) return error.code
  return error instanceof Error ? /^Code: (\d+)/.exec(error.message)?.[1] : undefined
}

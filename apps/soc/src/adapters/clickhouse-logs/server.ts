import { randomUUID } from 'node:crypto'
import { ClickHouseError, createClient } from '@clickhouse/client'
import { unavailable } from '@manara/kit/errors'
import { type Binding, createLiterals, createParameters } from './binding.ts'
import { KNOWS_INDEXES } from './schema.ts'
import { whyRefused } from './why-refused.ts'

/** One ClickHouse server. Every call rejects with an AppError 503 while it cannot do its work. */
export type Server = {
  /** Host and port. */
  readonly name: string
  /** False for a while after it could not be reached. */
  isUp(): boolean
  newBinding(): Binding
  command(statement: string): Promise<void>
  insert(table: string, rows: object[]): Promise<void>
  select<Row>(statement: string, options?: SelectOptions): Promise<Row[]>
  close(): Promise<void>
}

export type SelectOptions = {
  binding?: Binding | undefined
  /** Rejects with the signal's reason; the server stops working on it. */
  signal?: AbortSignal | undefined
  /** After so long the server answers what it has; whole seconds. */
  stopAfterMs?: number | undefined
  /** After reading about so many rows the server answers what it has. */
  mostRows?: number | undefined
}

const RETRY_MS = 3_000
/** Query parameters came with 19.14. */
const KNOWS_PARAMETERS = 20

/** `prepare` is given the major version and makes the tables; it is repeated until it succeeds. */
export function createServer(
  url: string,
  prepare: (server: Pick<Server, 'command' | 'select'>, major: number) => Promise<void>,
): Server {
  const { host: name } = new URL(url)
  const client = createClient({
    url,
    request_timeout: 120_000,
    max_open_connections: 16,
    // Failures reach the caller; the library would print them as well.
    log: { level: 127 },
  })
  let downUntil = 0
  let major = 0
  let preparing: Promise<void> | undefined

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

  async function attempt<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      const result = await work()
      downUntil = 0
      return result
    } catch (error) {
      // That a caller has gone says nothing about the server.
      signal?.throwIfAborted()
      const code = codeOf(error)
      if (code) throw whyRefused(code, error as Error, name) ?? error
      downUntil = performance.now() + RETRY_MS
      throw unavailable(
        `ClickHouse at ${name} cannot be reached: look after that server, or mend CLICKHOUSE_URL`,
        error,
      )
    }
  }

  const command = (query: string) =>
    attempt(async () => void (await client.command({ query, clickhouse_settings: STATEMENTS })))

  async function select<Row>(statement: string, options: SelectOptions = {}): Promise<Row[]> {
    const { binding, signal, stopAfterMs, mostRows } = options
    signal?.throwIfAborted()
    const query_id = randomUUID()
    // When a connection ends, old servers work on: tell them.
    const kill = () =>
      void client.command({ query: `KILL QUERY WHERE query_id = '${query_id}'` }).catch(() => {})
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

  return {
    name,
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
      await attempt(
        async () => void (await client.insert({ table, values, format: 'JSONEachRow' })),
      )
    },
    async select(statement, options) {
      await ready()
      return select(statement, options)
    },
    close: () => client.close(),
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

const stopAfter = (ms: number) =>
  ({
    max_execution_time: Math.max(1, Math.ceil(ms / 1_000)),
    timeout_overflow_mode: 'break',
  }) as const

/** What the server itself refused has a number; the library reads that of newer servers only. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof ClickHouseError) return error.code
  return error instanceof Error ? /^Code: (\d+)/.exec(error.message)?.[1] : undefined
}

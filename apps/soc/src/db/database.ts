import type { Logger } from '@manara/kit/logging'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { isConnectionFailure } from './connection-failure.ts'
import { MIGRATIONS } from './migrations.ts'
import type { Tables } from './tables.ts'

export type Database = {
  readonly kysely: Kysely<Tables>
  /** Reachable and migrated, as of the last probe or failed query. */
  isAvailable(): boolean
  /** Calls back each time the database comes up, at once if it is up. */
  onAvailable(listener: () => Promise<void>): void
  close(): Promise<void>
}

export type DatabaseOptions = {
  connection: pg.PoolConfig
  log: Logger
  probeMs?: number
}

/**
 * The pool and the truth about it. The database may be away at the start, go and come back: a probe
 * notices, brings the schema up to date, and nothing needs a restart.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { log, probeMs = 1_000 } = options
  const pool = new pg.Pool({ max: 20, connectionTimeoutMillis: 3_000, ...options.connection })
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const listeners: (() => Promise<void>)[] = []
  let available = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', () => become(false))

  function become(next: boolean) {
    if (next !== available) log.warn(next ? 'the database is up' : 'the database is unreachable')
    available = next
  }

  async function probe() {
    try {
      await sql`SELECT 1`.execute(kysely)
      if (!available) await arrive()
    } catch (error) {
      if (!isConnectionFailure(error)) log.error({ err: error }, 'the database is not usable')
      become(false)
    }
    if (!closed) timer = setTimeout(() => void probe(), probeMs)
  }

  async function arrive() {
    await migrate(kysely)
    for (const listener of listeners) await listener()
    become(true)
  }

  await probe()
  return {
    kysely,
    isAvailable: () => available,
    onAvailable(listener) {
      listeners.push(listener)
      if (available) void listener()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await kysely.destroy()
    },
  }
}

/** Kysely takes an advisory lock, so several processes may start at once. */
async function migrate(kysely: Kysely<Tables>) {
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

import type { Logger } from '@manara/kit/logging'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { borrowing } from './borrow-connection.ts'
import { isDatabaseFull, isReadOnlyFailure, isSilence } from './connection-failure.ts'
import { keepingStatements } from './kept-statements.ts'
import { MIGRATIONS } from './migrations.ts'
import { refuseShared } from './one-session.ts'
import { ownSession } from './own-session.ts'
import { createPulse } from './pulse.ts'
import { readValues } from './read-values.ts'
import { grantRights, roleOf, warnOfRights } from './rights.ts'
import { refuseUnsuited } from './suited.ts'
import type { Tables } from './tables.ts'
import { whyUnusable } from './why-unusable.ts'

// Waiting for a free connection counts too: a busy machine is no lost database.
const BUSY_MS = 15_000
/** So long after a write was refused: there is always somebody who writes. */
const REFUSED_MS = 60_000

export type Database = {
  readonly kysely: Kysely<Tables>
  /** Reachable and migrated, as of the last probe or failed query. */
  isAvailable(): boolean
  /**
   * Calls back each time the database comes up, before anyone may use it. Resolves when the first
   * call is over, if it is up now.
   */
  onAvailable(listener: () => Promise<void>): Promise<void>
  /** A write found no room on its disk, a moment ago. */
  isFull(): boolean
  /** It answers, and a write was refused a moment ago since it only reads. */
  isReadOnly(): boolean
  /** Of the pool that requests and background work share. */
  connections(): { busy: number; idle: number; waiting: number }
  close(): Promise<void>
}

export type DatabaseOptions = {
  connection: pg.PoolConfig
  /** Who migrates, and gives the service its rights; without one the service does it itself. */
  owner?: pg.PoolConfig | undefined
  log: Logger
  probeMs?: number
  /** A database that takes longer to say anything counts as away. */
  patienceMs?: number
}

/**
 * The pool and the truth about it. The database may be away at the start, go and come back: a probe
 * notices, brings the schema up to date, and nothing needs a restart. `start` resolves after the
 * first probe.
 */
export function createDatabase(options: DatabaseOptions): Database & { start(): Promise<void> } {
  const { log, probeMs = 1_000, patienceMs = 5_000 } = options
  const pool = new pg.Pool({
    ...{ max: 20, connectionTimeoutMillis: BUSY_MS, types: readValues },
    ...ownSession(options.connection),
  })
  const borrow = borrowing(pool, (most) =>
    log.warn(
      `the database gives us no more than ${most} connections: raise max_connections, or the limit of the role`,
    ),
  )
  let fullUntil = 0
  let readOnlyUntil = 0
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: keepingStatements(pool, borrow) }),
    log(event) {
      if (event.level !== 'error') return
      if (isDatabaseFull(event.error)) {
        if (!isFull()) log.error('the disk of the database is full: free space there')
        fullUntil = performance.now() + REFUSED_MS
      }
      if (isReadOnlyFailure(event.error)) {
        if (!isReadOnly()) log.error('the database only reads: let it take changes')
        readOnlyUntil = performance.now() + REFUSED_MS
      }
    },
  })
  const isFull = () => performance.now() < fullUntil
  const isReadOnly = () => performance.now() < readOnlyUntil
  const pulse = createPulse(options.connection, patienceMs)
  const connected = new Set<pg.PoolClient>()
  const listeners: (() => Promise<void>)[] = []
  let available = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const said = new Set<string>()

  outlive(pool)
  outlive(pulse.pool)

  function outlive(watched: pg.Pool) {
    // Without a listener the loss of an idle connection would end the process.
    watched.on('error', () => become(false))
    // Nor may the loss of one in use: the pool only listens to idle ones. The statement, or the
    // next one, fails and tells.
    watched.on('connect', (client) => {
      connected.add(client)
      client.on('error', () => become(false))
    })
    watched.on('remove', (client) => connected.delete(client))
  }

  function become(next: boolean) {
    if (next && !available) log.info('the database is up')
    if (next) said.clear()
    if (!next && available && !closed) log.warn('the database is unreachable')
    available = next
  }

  /** Once for each reason: it is asked every second, and each of several hosts has its own. */
  function sayWhy(error: unknown) {
    const why = whyUnusable(error)
    if (!said.has(why) && !closed) log.error({ err: error }, `the database cannot be used: ${why}`)
    said.add(why)
  }

  async function probe() {
    try {
      await pulse.feel()
      if (!available) await pulse.watchDuring(arrive, hangUp)
    } catch (error) {
      become(false)
      sayWhy(error)
      if (isSilence(error)) hangUp()
    }
    if (!closed) timer = setTimeout(() => void probe(), probeMs)
  }

  /** A host that went dark closes nothing: those who wait for an answer are told now, not in hours. */
  function hangUp() {
    for (const client of connected) client.connection.stream.destroy()
  }

  async function arrive() {
    await refuseUnsuited(kysely)
    // One connection alone proves nothing.
    if (pool.options.max > 1) await refuseShared(kysely)
    if (options.owner) await prepareAsOwner(options.owner, await roleOf(kysely), outlive)
    else await migrate(kysely)
    await warnOfRights(kysely, log)
    for (const listener of listeners) await listener()
    become(true)
  }

  return {
    start: probe,
    kysely,
    isAvailable: () => available,
    isFull,
    isReadOnly,
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async onAvailable(listener) {
      listeners.push(listener)
      if (available) await listener()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await Promise.all([pulse.pool.end(), kysely.destroy()])
    },
  }
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = createDatabase(options)
  await database.start()
  return database
}

/** The schema as its owner, on a connection that is gone afterwards. */
async function prepareAsOwner(
  owner: pg.PoolConfig,
  service: string,
  outlive: (pool: pg.Pool) => void,
) {
  const pool = new pg.Pool({ ...ownSession(owner), max: 1, connectionTimeoutMillis: BUSY_MS })
  outlive(pool)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(kysely)
    await grantRights(kysely, service)
  } finally {
    await kysely.destroy()
  }
}

/** Kysely takes an advisory lock, so several processes may start at once. */
async function migrate(kysely: Kysely<Tables>) {
  if (await isMigrated(kysely)) return
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** Kysely reads the whole catalogue before it finds that there is nothing to do. */
async function isMigrated(kysely: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS there`.execute(kysely)
  if (!rows[0]?.there) return false
  const done = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(kysely)
  const names = Object.keys(MIGRATIONS)
  const newer = done.rows.find(({ name }) => !(name in MIGRATIONS))
  if (newer) {
    throw new Error(
      `a newer version has changed it (${newer.name}): start that version, or restore a backup from before the upgrade`,
    )
  }
  return names.length === done.rows.length
}

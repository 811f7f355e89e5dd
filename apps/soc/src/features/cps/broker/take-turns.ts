import { setTimeout as after } from 'node:timers/promises'
import type { Logger } from '@manara/kit/logging'
import { type Kysely, sql } from 'kysely'
import { isConnectionFailure } from '../../../db/connection-failure.ts'
import type { Tables } from '../../../db/tables.ts'

type Db = Kysely<Tables>

const LOOK_MS = 1_000

/**
 * Of several processes on one database one does it at a time. The database knows by the connection
 * who: with that ends the turn, also of a process that was killed, and another one's begins.
 */
export function takeTurns(options: {
  db: Db
  name: string
  /** Resolves to how it is ended. */
  begin(): Promise<() => Promise<void>>
  log: Logger
  lookMs?: number
}): { stop(): Promise<void> } {
  const { db, name, log, lookMs = LOOK_MS } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const rest = () => after(lookMs, undefined, { signal, ref: false }).catch(() => {})

  async function turn(own: Db) {
    if (!(await isOurs(own, name))) return
    const end = await options.begin()
    try {
      while (!signal.aborted) {
        await rest()
        await sql`SELECT 1`.execute(own)
      }
    } finally {
      await end()
    }
  }

  async function keepTrying() {
    while (!signal.aborted) {
      await db
        .connection()
        .execute((own) => turn(own).finally(() => letGo(own)))
        .catch((error) => {
          if (!isConnectionFailure(error)) log.error({ err: error }, `${name}: no turn`)
        })
      await rest()
    }
  }

  const trying = keepTrying()
  return {
    async stop() {
      stopping.abort()
      await trying
    },
  }
}

async function isOurs(own: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    SELECT pg_try_advisory_lock(hashtextextended(${name}, 0)) AS is_ours`.execute(own)
  if (!rows[0]?.is_ours) return false
  // So that a machine that lost its power is not waited for.
  await sql`SELECT set_config('tcp_keepalives_idle', '5', false),
    set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '2', false)`.execute(own)
  return true
}

/** The connection goes back to those that all use. */
const letGo = (own: Db) => sql`SELECT pg_advisory_unlock_all()`.execute(own)

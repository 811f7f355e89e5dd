import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Throws when something in between gives each transaction whichever connection is free: what a session
 * has set, prepared or listens to would then be another's.
 */
export async function refuseShared(kysely: Kysely<Tables>): Promise<void> {
  const isOurs = await kysely.connection().execute(async (one) => {
    const before = await processOf(one)
    return kysely.transaction().execute(async (other) => {
      // It takes the one that was just set free, if any is shared.
      await processOf(other)
      return (await processOf(one)) === before
    })
  })
  if (isOurs) return
  throw new Error(
    'a pooler in between shares connections by transaction: name the server itself in DATABASE_URL, or have the pooler keep a connection for each session (pool_mode = session)',
  )
}

async function processOf(db: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
  return rows[0]?.pid
}

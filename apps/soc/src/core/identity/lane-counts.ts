import { sql } from 'kysely'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Lane } from './sign-in-lanes.ts'

export type Counted = { count: number; endsAt: number }

/** Counts in the database, so two processes do not allow twice as many guesses; alone while it is away. */
export function createLaneCounts(deps: {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  now(): number
}) {
  const { database, now } = deps
  const local = new Map<string, Counted>()

  // What ends later than a whole window from now was counted before the clock was put back.
  async function read({ key, windowMs }: Lane): Promise<Counted | undefined> {
    const shared = await inDatabase(() =>
      sql<{ used: number; remaining_ms: number }>`
        SELECT used, ceil(extract(epoch FROM ends_at - clock_timestamp()) * 1000)::int AS remaining_ms
        FROM rate_budgets WHERE key = ${key} AND ends_at > clock_timestamp()
          AND ends_at <= clock_timestamp() + ${windowMs} * interval '1 ms'`.execute(
        database.kysely,
      ),
    )
    const row = shared?.rows[0]
    if (row) return { count: row.used, endsAt: now() + row.remaining_ms }
    const own = local.get(key)
    return own && own.endsAt > now() ? own : undefined
  }

  async function add({ key, windowMs }: Lane) {
    const known = local.get(key)
    if (known && known.endsAt > now()) known.count += 1
    else {
      sweep()
      local.set(key, { count: 1, endsAt: now() + windowMs })
    }
    await inDatabase(() =>
      sql`
        INSERT INTO rate_budgets AS known (key, ends_at, used)
        VALUES (${key}, clock_timestamp() + ${windowMs} * interval '1 ms', 1)
        ON CONFLICT (key) DO UPDATE SET
          used = CASE WHEN known.ends_at BETWEEN clock_timestamp()
            AND clock_timestamp() + ${windowMs} * interval '1 ms' THEN known.used + 1 ELSE 1 END,
          ends_at = CASE WHEN known.ends_at BETWEEN clock_timestamp()
            AND clock_timestamp() + ${windowMs} * interval '1 ms' THEN known.ends_at
            ELSE excluded.ends_at END`.execute(database.kysely),
    )
  }

  // Guessers try many names: what is over must not stay.
  function sweep() {
    for (const [key, { endsAt }] of local) if (endsAt <= now()) local.delete(key)
  }

  async function inDatabase<T>(query: () => Promise<T>): Promise<T | undefined> {
    if (!database.isAvailable()) return undefined
    try {
      return await query()
    } catch (error) {
      if (isConnectionFailure(error)) return undefined
      throw error
    }
  }

  return { read, add }
}

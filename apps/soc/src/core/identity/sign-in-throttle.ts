import { AppError } from '@manara/kit/errors'
import { sql } from 'kysely'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'

const FAILURES = 10
const WINDOW_MS = 60_000

type Failures = { count: number; endsAt: number }

export type SignInThrottle = {
  /**
   * Runs one attempt to sign in. `isRight` false counts as a failure of both keys; with ten in a
   * minute for either one, the attempt is 429 and is not run.
   */
  attempt(keys: string[], isRight: () => Promise<boolean>): Promise<boolean>
}

/** Counts in the database, so two processes do not allow twice as many guesses; alone while it is away. */
export function createSignInThrottle(deps: {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  now?: () => number
}): SignInThrottle {
  const { database, now = () => performance.now() } = deps
  const local = new Map<string, Failures>()
  const underWay = new Map<string, Promise<unknown>>()

  async function failuresOf(key: string): Promise<Failures | undefined> {
    const shared = await inDatabase(() =>
      sql<{ used: number; remaining_ms: number }>`
        SELECT used, ceil(extract(epoch FROM ends_at - clock_timestamp()) * 1000)::int AS remaining_ms
        FROM rate_budgets WHERE key = ${key} AND ends_at > clock_timestamp()`.execute(
        database.kysely,
      ),
    )
    const row = shared?.rows[0]
    if (row) return { count: row.used, endsAt: now() + row.remaining_ms }
    const own = local.get(key)
    return own && own.endsAt > now() ? own : undefined
  }

  async function countFailure(key: string) {
    const known = local.get(key)
    if (known && known.endsAt > now()) known.count += 1
    else {
      sweep()
      local.set(key, { count: 1, endsAt: now() + WINDOW_MS })
    }
    await inDatabase(() =>
      sql`
        INSERT INTO rate_budgets AS known (key, ends_at, used)
        VALUES (${key}, clock_timestamp() + ${WINDOW_MS} * interval '1 ms', 1)
        ON CONFLICT (key) DO UPDATE SET
          used = CASE WHEN known.ends_at > clock_timestamp() THEN known.used + 1 ELSE 1 END,
          ends_at = CASE WHEN known.ends_at > clock_timestamp() THEN known.ends_at
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

  async function run(keys: string[], isRight: () => Promise<boolean>): Promise<boolean> {
    for (const key of keys) {
      const failures = await failuresOf(key)
      if (failures && failures.count >= FAILURES) throw throttled(failures.endsAt - now())
    }
    const right = await isRight()
    if (!right) for (const key of keys) await countFailure(key)
    return right
  }

  return {
    // One after the other per name and per address: a hundred guesses at once are still counted.
    async attempt(keys, isRight) {
      const before = Promise.allSettled(keys.map((key) => underWay.get(key)))
      const mine = before.then(() => run(keys, isRight))
      for (const key of keys) underWay.set(key, mine)
      try {
        return await mine
      } finally {
        for (const key of keys) if (underWay.get(key) === mine) underWay.delete(key)
      }
    },
  }
}

function throttled(remainingMs: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(remainingMs / 1_000))
  return new AppError(429, `too many failed sign-ins: try again in ${retryAfter} s`, { retryAfter })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@manara/kit/errors'
import { sql } from 'kysely'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import type { Database } from '../../db/database.ts'
import type { Lane, Lanes } from './sign-in-lanes.ts'

type Counted = { count: number; endsAt: number }

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 8_000
const MOST_WAITING = 10
const MINUTE_MS = 60_000

export type SignInThrottle = {
  /**
   * Runs one attempt. `isRight` false counts as a failure in every lane. When a lane is full the
   * attempt is 429 and is not run; in slowed lanes it is run after a delay, and 429 when wrong.
   * Right ones count apart, so that only who knows the password can use them up.
   */
  attempt(lanes: Lanes, isRight: () => Promise<boolean>): Promise<boolean>
}

/** Counts in the database, so two processes do not allow twice as many guesses; alone while it is away. */
export function createSignInThrottle(deps: {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  /** Right ones in a lane and minute; each costs a hash, an entry of the audit log and a session. */
  mostRight: number
  now?: () => number
  wait?: (ms: number) => Promise<unknown>
}): SignInThrottle {
  const { database, mostRight, now = () => performance.now(), wait = sleep } = deps
  const local = new Map<string, Counted>()
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, number>()

  // What ends later than a whole window from now was counted before the clock was put back.
  async function countOf({ key, windowMs }: Lane): Promise<Counted | undefined> {
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

  async function count({ key, windowMs }: Lane) {
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

  async function fullLane(lanes: Lane[]) {
    for (const lane of lanes) {
      const counted = await countOf(lane)
      if (counted && counted.count >= lane.limit) return { ...lane, ...counted }
    }
    return undefined
  }

  async function run({ lanes, isSlowed }: Lanes, isRight: () => Promise<boolean>) {
    const entered = lanes.map(({ key }) => rightLane(key, mostRight))
    const busy = await fullLane(entered)
    if (busy) throw throttled(busy.endsAt - now(), 'sign-ins')
    const full = await fullLane(lanes)
    if (full && !isSlowed) throw throttled(full.endsAt - now())
    if (full) await wait(delayAfter(full.count - full.limit))
    const right = await isRight()
    for (const lane of right ? entered : lanes) await count(lane)
    if (!right && full) throw throttled(full.endsAt - now())
    return right
  }

  return {
    // One after the other in each lane: a hundred guesses at once are still counted.
    async attempt(given, isRight) {
      const keys = given.lanes.map(({ key }) => key)
      if (given.isSlowed) {
        for (const key of keys) if ((waiting.get(key) ?? 0) >= MOST_WAITING) throw throttled(1_000)
      }
      const before = Promise.allSettled(keys.map((key) => underWay.get(key)))
      const mine = before.then(() => run(given, isRight))
      for (const key of keys) underWay.set(key, mine)
      for (const key of keys) waiting.set(key, (waiting.get(key) ?? 0) + 1)
      try {
        return await mine
      } finally {
        for (const key of keys) {
          if (underWay.get(key) === mine) underWay.delete(key)
          const left = (waiting.get(key) ?? 1) - 1
          if (left === 0) waiting.delete(key)
          else waiting.set(key, left)
        }
      }
    },
  }
}

const rightLane = (key: string, limit: number): Lane => ({
  ...{ key: `right ${key}`, limit, windowMs: MINUTE_MS },
})

const delayAfter = (excess: number) => Math.min(FIRST_DELAY_MS * 2 ** excess, LONGEST_DELAY_MS)

function throttled(remainingMs: number, what = 'failed sign-ins'): AppError {
  const retryAfter = Math.max(1, Math.ceil(remainingMs / 1_000))
  return new AppError(429, `too many ${what}: try again in ${retryAfter} s`, { retryAfter })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@manara/kit/errors'
import type { Database } from '../../db/database.ts'
import { createLaneCounts } from './lane-counts.ts'
import type { Lane, Lanes } from './sign-in-lanes.ts'

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

export function createSignInThrottle(deps: {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  /** Right ones in a lane and minute; each costs a hash, an entry of the audit log and a session. */
  mostRight: number
  now?: () => number
  wait?: (ms: number) => Promise<unknown>
}): SignInThrottle {
  const { database, mostRight, now = () => performance.now(), wait = sleep } = deps
  const counts = createLaneCounts({ database, now })
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, number>()

  async function fullLane(lanes: Lane[]) {
    for (const lane of lanes) {
      const counted = await counts.read(lane)
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
    for (const lane of right ? entered : lanes) await counts.add(lane)
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
  key: `right ${key}`,
  limit,
  windowMs: MINUTE_MS,
})

const delayAfter = (excess: number) => Math.min(FIRST_DELAY_MS * 2 ** excess, LONGEST_DELAY_MS)

function throttled(remainingMs: number, what = 'failed sign-ins'): AppError {
  const retryAfter = Math.max(1, Math.ceil(remainingMs / 1_000))
  return new AppError(429, `too many ${what}: try again in ${retryAfter} s`, { retryAfter })
}

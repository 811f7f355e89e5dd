import type { Place } from './sign-in-places.ts'

/** Failures under one key; with `limit` of them in a window no more are run, or only slowly. */
export type Lane = { key: string; limit: number; windowMs: number }

export type Lanes = {
  lanes: Lane[]
  /** A known place is slowed down instead of being refused: the right password gets in. */
  isSlowed: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Guesses are counted per address, per account and address, and, against many addresses at once,
 * per account. The last one is wide and does not concern places that the account is known from, so
 * that one stranger cannot lock its owner out.
 */
export function signInLanes(username: string, place: Place, known: string | undefined): Lanes {
  // No user has a space in the name: what somebody types must not be the key of another lane.
  const account = username.toLowerCase().replaceAll(' ', '%20')
  if (known) {
    const lane = { key: `sign-in ${account} from ${known}`, limit: 10, windowMs: MINUTE_MS }
    return { lanes: [lane], isSlowed: true }
  }
  return {
    lanes: [
      { key: `sign-in ${place.address}`, limit: 10, windowMs: MINUTE_MS },
      { key: `sign-in ${account} from ${place.address}`, limit: 10, windowMs: MINUTE_MS },
      { key: `sign-in ${account}`, limit: 100, windowMs: MINUTE_MS },
    ],
    isSlowed: false,
  }
}

/** Whoever holds a session may still not guess the password behind it. */
export function ownPasswordLanes(userId: string): Lanes {
  return {
    lanes: [
      { key: `own password ${userId}`, limit: 10, windowMs: MINUTE_MS },
      { key: `own password, hourly ${userId}`, limit: 30, windowMs: HOUR_MS },
    ],
    isSlowed: false,
  }
}

/** Against guessing the six digits with a stolen password: twenty an hour, from everywhere together. */
export function codeLanes(userId: string): Lanes {
  return {
    lanes: [{ key: `code of ${userId}`, limit: 20, windowMs: HOUR_MS }],
    isSlowed: false,
  }
}

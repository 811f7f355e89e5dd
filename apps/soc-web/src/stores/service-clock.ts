/** What the way of an answer and a time in whole seconds may make of two clocks that agree. */
const TOLERATED_MS = 2_000

/**
 * The time as the service has it, by which records are dated: the clock of a desk may be wrong, and
 * its last fifteen minutes would be others.
 */
export function createServiceClock(now: () => number) {
  let ahead = 0
  return {
    now: () => now() + ahead,
    /** From the `Date` of an answer that has just come. */
    learn(date: string | null) {
      const off = Date.parse(date ?? '') + 500 - now()
      if (!Number.isNaN(off)) ahead = Math.abs(off) > TOLERATED_MS ? off : 0
    },
  }
}

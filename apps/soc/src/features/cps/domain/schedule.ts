const JITTER = 0.1
const LEAST_ANSWER_MS = 30_000
const MOST_ANSWER_MS = 5 * 60_000

/** A tenth earlier or later: devices that began together do not stay together. `chance` is 0 to 1. */
export const nextAttestation = (now: number, everySeconds: number, chance: number): Date =>
  new Date(now + everySeconds * 1_000 * (1 + JITTER * (2 * chance - 1)))

/** The time for an answer ends before the next request, within reason. */
export const answerWithinMs = (everySeconds: number): number =>
  everySeconds === 0
    ? MOST_ANSWER_MS
    : Math.max(LEAST_ANSWER_MS, Math.min(MOST_ANSWER_MS, everySeconds * 900))

/** Time, passed in so that a test can turn it. */
export type Clock = {
  /** Unix milliseconds; may jump when the clock is set. */
  now(): number
  /** Milliseconds that never jump, for measuring how long something took. */
  monotonic(): number
  /** Runs once after that long; the result cancels it. */
  after(ms: number, run: () => void): () => void
  /** Runs again and again; the result ends it. */
  every(ms: number, run: () => void): () => void
}

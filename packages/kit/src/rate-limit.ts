export type RateClass = { limit: number; windowMs: number }
export type RateVerdict =
  | { allowed: true; remaining: number }
  | { allowed: false; retryAfterS: number }

export type RateLimiter<Class extends string> = {
  /** Counts one request of `client` against `rateClass` and says whether it may go on. */
  take(rateClass: Class, client: string): RateVerdict
}

/** Fixed windows per class and client: a client's window opens with its first request. */
export function createRateLimiter<Class extends string>(
  classes: Record<Class, RateClass>,
  now: () => number = () => performance.now(),
): RateLimiter<Class> {
  const windows = new Map<string, { endsAt: number; used: number }>()
  let sweepAt = 0

  // Clients come and go: without a sweep one entry per address ever seen would stay.
  function sweep(time: number) {
    if (time < sweepAt) return
    sweepAt = time + 60_000
    for (const [key, window] of windows) if (window.endsAt <= time) windows.delete(key)
  }

  return {
    take(rateClass, client) {
      const time = now()
      sweep(time)
      const { limit, windowMs } = classes[rateClass]
      const key = `${rateClass} ${client}`
      let window = windows.get(key)
      if (!window || window.endsAt <= time) {
        window = { endsAt: time + windowMs, used: 0 }
        windows.set(key, window)
      }
      if (window.used >= limit) {
        return {
          allowed: false,
          retryAfterS: Math.max(1, Math.ceil((window.endsAt - time) / 1000)),
        }
      }
      window.used += 1
      return { allowed: true, remaining: limit - window.used }
    },
  }
}

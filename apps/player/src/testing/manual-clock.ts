import type { Clock } from '../ports/clock.ts'

type Timer = { at: number; every: number | undefined; run: () => void }

/** A clock that stands still until a test turns it. */
export function createManualClock(startAt = Date.parse('2026-01-01T00:00:00Z')) {
  let elapsed = 0
  const timers = new Set<Timer>()

  function schedule(ms: number, every: number | undefined, run: () => void) {
    const timer = { at: elapsed + ms, every, run }
    timers.add(timer)
    return () => {
      timers.delete(timer)
    }
  }

  const clock: Clock = {
    now: () => startAt + elapsed,
    monotonic: () => elapsed,
    after: (ms, run) => schedule(ms, undefined, run),
    every: (ms, run) => schedule(ms, ms, run),
  }

  return {
    ...clock,
    /** Runs what falls due on the way, in order. */
    advance(ms: number) {
      const until = elapsed + ms
      for (;;) {
        let due: Timer | undefined
        for (const timer of timers) if (timer.at < (due?.at ?? until + 1)) due = timer
        if (!due || due.at > until) break
        elapsed = due.at
        if (due.every === undefined) timers.delete(due)
        else due.at += due.every
        due.run()
      }
      elapsed = until
    },
  }
}

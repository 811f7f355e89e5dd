import type { Timer } from '../watch-card.ts'

/** A timer whose time comes when the test says so. */
export function manualTimer() {
  const pending = new Map<() => unknown, number>()
  const timer: Timer = (run, ms) => {
    pending.set(run, ms)
    return () => pending.delete(run)
  }
  return {
    timer,
    waits: () => [...pending.values()],
    /** Runs what was waiting this long; resolves when it is done. */
    async fire(ms: number) {
      const due = [...pending.keys()].filter((run) => pending.get(run) === ms)
      for (const run of due) pending.delete(run)
      await Promise.all(due.map((run) => run()))
    },
  }
}

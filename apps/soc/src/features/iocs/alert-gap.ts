import type { AlertGap } from './record-sightings.ts'

const ALERT_GAP_MS = 60_000
const MOST_REMEMBERED = 10_000

/** One indicator on one host: within a minute the alert that was raised says it all. */
export function createAlertGap(now: () => number): AlertGap {
  const begunAt = new Map<string, number>()
  return {
    isOver: (key) => (begunAt.get(key) ?? 0) <= now() - ALERT_GAP_MS,
    begin(key) {
      if (begunAt.size > MOST_REMEMBERED) begunAt.clear()
      begunAt.set(key, now())
    },
  }
}

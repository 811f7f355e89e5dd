// Waking takes seconds, and the sound has to begin with the minute.
const LEAD_S = 30

/** Seconds until the alarm has to ring for something that is due at `due`; undefined for nothing. */
export function wakeInSeconds(due: number | undefined, now: number): number | undefined {
  if (due === undefined) return undefined
  return Math.max(1, Math.floor((due - now) / 1000) - LEAD_S)
}

// Waking takes seconds, and the sound has to begin with the minute.
const LEAD_S = 30

// The alarm of a box that is still on its way to sleep rings for nobody.
const SOON_MS = 120_000
/** Falling asleep takes seconds, too. What is due in them is called when the box is awake again. */
const LEAST_S = 10

/** Whether it is not worth sleeping before what is due at `due`. */
export const isSoon = (due: number | undefined, now: number) =>
  due !== undefined && due - now < SOON_MS

/** Seconds until the alarm has to ring for something that is due at `due`; undefined for nothing. */
export function wakeInSeconds(due: number | undefined, now: number): number | undefined {
  if (due === undefined) return undefined
  return Math.max(LEAST_S, Math.floor((due - now) / 1000) - LEAD_S)
}

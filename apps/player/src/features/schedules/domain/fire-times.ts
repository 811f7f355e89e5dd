import { epochOf } from '@manara/posix-tz/epoch-of'
import { localTime } from '@manara/posix-tz/local-time'
import type { PosixTz } from '@manara/posix-tz/posix-tz'

/** What decides when a schedule fires. */
export type Timing = {
  hour: number
  minute: number
  /** Bit 0 is Sunday … bit 6 is Saturday; 0 fires once. */
  days: number
  /** Unix milliseconds from which it counts: when it was made, changed or enabled. */
  armed_at: number
}

export type FireTime = { date: string; at: number }

const DAY_MS = 86_400_000

/**
 * When it falls due after `from` and not after `until`. A time that the clock skips is the first
 * moment after the gap; one that comes twice is the first of the two.
 */
export function fireTimes(zone: PosixTz, timing: Timing, from: number, until: number): FireTime[] {
  const { days, armed_at } = timing
  const isOnce = days === 0
  const start = Math.max(from, armed_at)
  // A single one counts from when it was armed, so that yesterday's does not come again today.
  const found = firesOn(
    zone,
    timing,
    isOnce ? armed_at : start,
    isOnce ? armed_at + 2 * DAY_MS : until,
  )
  const wanted = isOnce ? found.filter(({ at }) => at > armed_at).slice(0, 1) : found
  return wanted.filter(({ at }) => at > start && at <= until)
}

/** The next one after `from`, within two weeks: a day of the week may be skipped by what has fired. */
export function nextFires(zone: PosixTz, timing: Timing, from: number): FireTime[] {
  return fireTimes(zone, timing, from, from + 15 * DAY_MS)
}

function firesOn(zone: PosixTz, timing: Timing, from: number, until: number): FireTime[] {
  const { year, month, day } = localTime(zone, from)
  const length = Math.ceil((until - from) / DAY_MS) + 2
  return Array.from({ length }, (_, index) => new Date(Date.UTC(year, month - 1, day + index - 1)))
    .filter((date) => timing.days === 0 || (timing.days & (1 << date.getUTCDay())) !== 0)
    .map((date) => ({ date: date.toISOString().slice(0, 10), at: fireAt(zone, timing, date) }))
}

function fireAt(zone: PosixTz, { hour, minute }: Timing, date: Date): number {
  return epochOf(zone, {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour,
    minute,
    second: 0,
  }).epochs[0]
}

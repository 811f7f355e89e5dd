import { daylightSeason, offsetAt, type ZoneOffset } from './offset-at.ts'
import type { PosixTz } from './posix-tz.ts'

/** The moment of a change and what the clock is set to from then on. */
export type Transition = ZoneOffset & { epoch: number }

/** The first change after a moment, or null where the clock never changes, daylight saving or not. */
export function nextTransition(zone: PosixTz, epochMs: number): Transition | null {
  const year = new Date(epochMs).getUTCFullYear()
  const candidates = [year - 1, year, year + 1, year + 2]
    .flatMap((begun) => Object.values(daylightSeason(zone, begun) ?? {}))
    .filter((epoch) => epoch > epochMs)
    .sort((a, b) => a - b)
  // Seasons that touch (daylight saving all year) change nothing where they meet.
  const epoch = candidates.find(
    (moment) => offsetAt(zone, moment).is_dst !== offsetAt(zone, moment - 1).is_dst,
  )
  return epoch === undefined ? null : { epoch, ...offsetAt(zone, epoch) }
}

import type { PosixTz } from './posix-tz.ts'
import { transitionIn } from './transition-rule.ts'

export type ZoneOffset = { offset_s: number; abbreviation: string; is_dst: boolean }

/** What the clock of the zone is set to at a moment. */
export function offsetAt(zone: PosixTz, epochMs: number): ZoneOffset {
  const is_dst = isDaylight(zone, epochMs)
  const { offset_s, abbreviation } = is_dst && zone.daylight ? zone.daylight : zone.standard
  return { offset_s, abbreviation, is_dst }
}

/**
 * The neighbouring years count too: a season may begin before New Year (the southern hemisphere), and
 * a time of up to 167 hours may carry a change across it.
 */
function isDaylight(zone: PosixTz, epochMs: number): boolean {
  const year = new Date(epochMs).getUTCFullYear()
  return [year - 1, year, year + 1].some((begun) => {
    const season = daylightSeason(zone, begun)
    return season !== null && epochMs >= season.start && epochMs < season.end
  })
}

/** Daylight saving that starts by the rule of `year`; it ends in the next one where start is after end. */
export function daylightSeason(
  { standard, daylight }: PosixTz,
  year: number,
): { start: number; end: number } | null {
  if (!daylight) return null
  const start = transitionIn(year, daylight.start, standard.offset_s)
  const end = transitionIn(year, daylight.end, daylight.offset_s)
  if (start <= end) return { start, end }
  return { start, end: transitionIn(year + 1, daylight.end, daylight.offset_s) }
}

import type { LocalTime } from './local-time.ts'
import { nextTransition } from './next-transition.ts'
import { offsetAt } from './offset-at.ts'
import type { PosixTz } from './posix-tz.ts'

/** Fields past their range carry over as in `Date.UTC`: day 32 of January is February 1. */
export type WallTime = Omit<LocalTime, 'weekday'>

/**
 * Where a wall-clock time lies on the time line. `epochs[0]` is when a schedule fires: the moment
 * itself, the first of two when the clock is turned back, and the first moment after the gap when
 * the clock is turned forward past it.
 */
export type Placement =
  | { kind: 'unique'; epochs: [number] }
  | { kind: 'overlap'; epochs: [number, number] }
  | { kind: 'gap'; epochs: [number] }

export function epochOf(zone: PosixTz, local: WallTime): Placement {
  const { year, month, day, hour, minute, second } = local
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const standard = zone.standard.offset_s
  const daylight = zone.daylight?.offset_s ?? standard
  const earlier = wall - Math.max(standard, daylight) * 1000
  const later = wall - Math.min(standard, daylight) * 1000
  const shows = (epoch: number) => epoch + offsetAt(zone, epoch).offset_s * 1000 === wall

  if (earlier !== later && shows(earlier) && shows(later))
    return { kind: 'overlap', epochs: [earlier, later] }
  if (shows(earlier)) return { kind: 'unique', epochs: [earlier] }
  if (shows(later)) return { kind: 'unique', epochs: [later] }
  // The clock jumps over the time between the two candidates.
  return { kind: 'gap', epochs: [nextTransition(zone, earlier)?.epoch ?? later] }
}

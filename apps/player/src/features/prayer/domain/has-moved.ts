import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import { isLocated } from './local-day.ts'

// Two minutes of the sun: less is the same place, told more exactly.
const FAR_DEGREES = 0.5

/** Whether the times of the new place are others, and not the old ones corrected. */
export function hasMoved(before: PrayerConfig, after: PrayerConfig): boolean {
  if (!isLocated(after)) return false
  if (!isLocated(before)) return true
  const around = Math.abs(after.lng - before.lng)
  // The date line is no distance.
  const east = Math.min(around, 360 - around)
  return Math.abs(after.lat - before.lat) > FAR_DEGREES || east > FAR_DEGREES
}

import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { PrayerName } from '@manara/player-contract/prayer-names'
import { PRAYER_NAMES } from '@manara/player-contract/prayer-names'

type PrayerToday = Extract<PrayerStatus, { valid: true }>

export type NextPrayer = { name: PrayerName; seconds: number; isNow: boolean }

// For as long as the adhan of a prayer may sound, the prayer is said to be now.
const NOW_S = 120

/**
 * The next of the six by the clock of the box. The box tells when a prayer has begun; until its word
 * is here the count must not run below zero.
 */
export function nextPrayer({ next, epochs }: PrayerToday, now: number): NextPrayer {
  const begun = PRAYER_NAMES.find((name) => now >= epochs[name] && now < epochs[name] + NOW_S)
  if (begun && begun !== 'sunrise') return { name: begun, seconds: 0, isNow: true }
  if (now < next.epoch) return { name: next.name, seconds: next.epoch - now, isNow: false }
  const later = PRAYER_NAMES.find((name) => epochs[name] > now)
  if (later) return { name: later, seconds: epochs[later] - now, isNow: false }
  return { name: next.name, seconds: 0, isNow: true }
}

/** The last of the six that has begun, by the clock of the box; before Fajr it is Isha. */
export function currentPrayer({ epochs }: PrayerToday, now: number): PrayerName {
  return PRAYER_NAMES.findLast((name) => epochs[name] <= now) ?? 'isha'
}

import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { PrayerName } from '@manara/player-contract/prayer-names'
import { PRAYER_NAMES } from '@manara/player-contract/prayer-names'

type PrayerToday = Extract<PrayerStatus, { valid: true }>

export type NextPrayer = { name: PrayerName; seconds: number; isNow: boolean }

// For as long as the adhan of a prayer may sound, the prayer is said to be now.
const NOW_S = 120

/** Without a place or the time nothing can be computed: which of them is to be set. */
export const missingFor = ({ config }: PrayerStatus): 'place' | 'clock' =>
  config.lat === null || config.lng === null ? 'place' : 'clock'

/**
 * The next of the six by the clock of the box. The box tells when a prayer has begun; until its word
 * is here the count must not run below zero. Undefined when its word is long due: what is kept of a
 * box that is off is the table of another day.
 */
export function nextPrayer({ next, epochs }: PrayerToday, now: number): NextPrayer | undefined {
  const begun = PRAYER_NAMES.find((name) => now >= epochs[name] && now < epochs[name] + NOW_S)
  if (begun && begun !== 'sunrise') return { name: begun, seconds: 0, isNow: true }
  if (now < next.epoch) return { name: next.name, seconds: next.epoch - now, isNow: false }
  const later = PRAYER_NAMES.find((name) => epochs[name] > now)
  if (later) return { name: later, seconds: epochs[later] - now, isNow: false }
  if (now < next.epoch + NOW_S) return { name: next.name, seconds: 0, isNow: true }
}

/** The last of the six that has begun, by the clock of the box; before Fajr it is Isha. */
export function currentPrayer({ epochs }: PrayerToday, now: number): PrayerName {
  return PRAYER_NAMES.findLast((name) => epochs[name] <= now) ?? 'isha'
}

import type { PrayerName } from '@manara/player-contract/prayer'
import { formatDate } from '@manara/prayer-times/calendar-date'
import { PRAYERS } from '@manara/prayer-times/prayers'
import { datesBetween, localDay, type Setting } from './local-day.ts'

/** The moment a prayer begins, on the date it belongs to. */
export type PrayerMoment = {
  key: string
  date: string
  at: number
  late_ms: number
  prayer: PrayerName
}

// About the time from the adhan to the prayer itself: until then the call still says something true.
const LATE_MS = 20 * 60_000

/** All six of each day that fall after `from` and not after `until`. */
export function prayerMoments(
  setting: Setting,
  from: number,
  until: number,
  dayOf = localDay,
): PrayerMoment[] {
  return datesBetween(setting.zone, from, until).flatMap((date) => {
    const { epochs } = dayOf(setting, date)
    return PRAYERS.map((prayer) => ({
      key: prayer,
      date: formatDate(date),
      at: epochs[prayer],
      late_ms: LATE_MS,
      prayer,
    })).filter(({ at }) => at > from && at <= until)
  })
}

/** Those that are called to. There is no adhan at sunrise, whatever its bit says. */
export function adhanTimes(moments: PrayerMoment[], prayer_mask: number): PrayerMoment[] {
  return moments
    .filter(({ prayer }) => prayer !== 'sunrise' && isSet(prayer_mask, PRAYERS.indexOf(prayer)))
    .map((moment) => ({ ...moment, key: `adhan:${moment.prayer}` }))
}

const isSet = (mask: number, bit: number) => (mask & (1 << bit)) !== 0

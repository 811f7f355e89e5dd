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
  same_ms: number
  prayer: PrayerName
}

const MINUTE_MS = 60_000
// About the time from the adhan to the prayer itself: until then the call still says something true.
const LATE_MS = 20 * MINUTE_MS
// Offsets and rules move a prayer by less; that of another day is farther off, on whatever date.
const SAME_MS = 8 * 60 * MINUTE_MS

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
      same_ms: SAME_MS,
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

/** So many minutes before those that are reminded of; later than the prayer would be no reminder. */
export function reminderTimes(
  moments: PrayerMoment[],
  { minutes, prayer_mask }: { minutes: number; prayer_mask: number },
): PrayerMoment[] {
  return adhanTimes(moments, prayer_mask).map((moment) => ({
    ...moment,
    key: `reminder:${moment.prayer}`,
    at: moment.at - minutes * MINUTE_MS,
    late_ms: 0,
  }))
}

/** The iqamas of the prayers that have one. */
export function iqamaTimes(
  moments: PrayerMoment[],
  minutes: readonly number[],
): (PrayerMoment & { begins: number })[] {
  return moments.flatMap((moment) => {
    const wait = minutes[PRAYERS.indexOf(moment.prayer)] ?? 0
    if (moment.prayer === 'sunrise' || wait === 0) return []
    const at = moment.at + wait * MINUTE_MS
    return [{ ...moment, key: `iqama:${moment.prayer}`, begins: moment.at, at, late_ms: 0 }]
  })
}

const isSet = (mask: number, bit: number) => (mask & (1 << bit)) !== 0

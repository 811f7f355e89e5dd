import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import { epochOf } from '@manara/posix-tz/epoch-of'
import { localTime } from '@manara/posix-tz/local-time'
import { offsetAt } from '@manara/posix-tz/offset-at'
import type { PosixTz } from '@manara/posix-tz/posix-tz'
import { addDays, type CalendarDate, formatDate } from '@manara/prayer-times/calendar-date'
import type { PrayerConfig as Rules } from '@manara/prayer-times/methods'
import { prayerTimes } from '@manara/prayer-times/prayer-times'
import type { Prayer } from '@manara/prayer-times/prayers'
import type { Place } from '@manara/prayer-times/solar-day'

/** Where the box stands, what its owner chose and what its clock on the wall shows. */
export type Setting = { config: Located; zone: PosixTz }

/** A configuration with a location, without which there are no times. */
export type Located = PrayerConfig & { lat: number; lng: number }

export type LocalDay = { date: CalendarDate; epochs: Record<Prayer, number> }

export const isLocated = (config: PrayerConfig): config is Located =>
  config.lat !== null && config.lng !== null

/** What the package takes: it knows no null. */
export function rulesOf({ rounding, ...config }: PrayerConfig): Rules {
  return rounding === null ? config : { ...config, rounding }
}

/** The offset at noon tells which transit belongs to the date; an hour more or less is no matter. */
export function placeOn({ config, zone }: Setting, date: CalendarDate): Place {
  const [noon] = epochOf(zone, { ...date, hour: 12, minute: 0, second: 0 }).epochs
  return { lat: config.lat, lng: config.lng, utc_offset_s: offsetAt(zone, noon).offset_s }
}

export function localDay(setting: Setting, date: CalendarDate): LocalDay {
  return { date, epochs: prayerTimes(date, placeOn(setting, date), rulesOf(setting.config)) }
}

export function localDate(zone: PosixTz, epochMs: number): CalendarDate {
  const { year, month, day } = localTime(zone, epochMs)
  return { year, month, day }
}

/** `HH:MM` as the clock on the wall shows it. */
export function wallMinute(zone: PosixTz, epochMs: number): string {
  const { hour, minute } = localTime(zone, epochMs)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The dates whose prayers can fall between two moments: Isha may come after its midnight. */
export function datesBetween(zone: PosixTz, from: number, until: number): CalendarDate[] {
  const last = formatDate(addDays(localDate(zone, until), 1))
  const dates: CalendarDate[] = []
  for (let date = addDays(localDate(zone, from), -1); formatDate(date) <= last; ) {
    dates.push(date)
    date = addDays(date, 1)
  }
  return dates
}

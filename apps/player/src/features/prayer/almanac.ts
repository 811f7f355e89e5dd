import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import type { Explanation, MonthTable } from '@manara/player-contract/prayer-tables'
import type { PosixTz } from '@manara/posix-tz/posix-tz'
import { type CalendarDate, daysInMonth, formatDate } from '@manara/prayer-times/calendar-date'
import { explain } from '@manara/prayer-times/explain'
import { hijriDate } from '@manara/prayer-times/hijri'
import { forEachPrayer } from '@manara/prayer-times/prayers'
import type { z } from 'zod'
import type { WallClock } from '../../ports/wall-clock.ts'
import {
  adhanTimes,
  iqamaTimes,
  type PrayerMoment,
  prayerMoments,
  reminderTimes,
} from './domain/adhan-times.ts'
import {
  isLocated,
  type LocalDay,
  localDate,
  localDay,
  placeOn,
  rulesOf,
  type Setting,
  wallMinute,
} from './domain/local-day.ts'
import { seconds, today, wallTimes } from './domain/today.ts'

export type AlmanacDeps = {
  config(): PrayerConfig
  zone(): PosixTz
  wall: Pick<WallClock, 'now' | 'isSet'>
}

export type Almanac = ReturnType<typeof createAlmanac>

const NO_LOCATION = { valid: false, reason: 'no location is set: send lat and lng' } as const
const NO_TIME = {
  valid: false,
  reason: 'the clock is not set: set the time or connect to a network',
} as const

const MINUTE_MS = 60_000
const LONGEST_IQAMA_MS = 120 * MINUTE_MS

/** What the sun does where the box stands, on the clock that hangs there. */
export function createAlmanac({ config, zone, wall }: AlmanacDeps) {
  let days = new Map<string, LocalDay>()
  let daysAreFor: Setting | undefined

  function setting(): Setting | undefined {
    const chosen = config()
    if (!isLocated(chosen)) return undefined
    if (daysAreFor?.config !== chosen || daysAreFor.zone !== zone()) {
      days = new Map()
      daysAreFor = { config: chosen, zone: zone() }
    }
    return daysAreFor
  }

  function dayOf(here: Setting, date: CalendarDate): LocalDay {
    const name = formatDate(date)
    const known = days.get(name)
    if (known) return known
    // A month and a few days: enough for the table and for planning, never a leak.
    if (days.size > 40) days.clear()
    const day = localDay(here, date)
    days.set(name, day)
    return day
  }

  function moments(from: number, until: number): PrayerMoment[] {
    const here = setting()
    return here ? prayerMoments(here, from, until, dayOf) : []
  }

  function iqamas(from: number, until: number) {
    const { iqama } = config()
    if (!iqama.enabled) return []
    return iqamaTimes(moments(from - LONGEST_IQAMA_MS, until), iqama.minutes).filter(
      ({ at }) => at > from && at <= until,
    )
  }

  return {
    moments,

    adhans(from: number, until: number): PrayerMoment[] {
      const { adhan } = config()
      return adhan.enabled ? adhanTimes(moments(from, until), adhan.prayer_mask) : []
    },

    reminders(from: number, until: number): PrayerMoment[] {
      const { reminder } = config()
      if (!reminder.enabled) return []
      const lead = reminder.minutes * MINUTE_MS
      return reminderTimes(moments(from + lead, until + lead), reminder)
    },

    iqamas,

    status(): PrayerStatus {
      const here = setting()
      if (!here) return { ...NO_LOCATION, config: config() }
      if (!wall.isSet()) return { ...NO_TIME, config: config() }
      const now = wall.now()
      const [awaited] = iqamas(now, now + LONGEST_IQAMA_MS).filter(({ begins }) => begins <= now)
      return {
        ...today(here, now, dayOf),
        ...(awaited ? { iqama: countdown(here, awaited, now) } : {}),
      }
    },

    /** Of today, or of another date, for which the clock need not be set. */
    explain(date?: CalendarDate): z.input<typeof Explanation> {
      const here = setting()
      if (!here) return NO_LOCATION
      if (!date && !wall.isSet()) return NO_TIME
      const day = date ?? localDate(here.zone, wall.now())
      const found = explain(day, placeOn(here, day), rulesOf(here.config))
      return {
        valid: true,
        ...found,
        transit: seconds(found.transit),
        prayers: forEachPrayer((prayer) => {
          const { epoch, raw_epoch, ...facts } = found.prayers[prayer]
          return {
            ...facts,
            angle: facts.angle && degrees(facts.angle),
            sun_altitude: degrees(facts.sun_altitude),
            sun_declination: degrees(facts.sun_declination),
            time: wallMinute(here.zone, epoch),
            epoch: seconds(epoch),
            raw_epoch: seconds(raw_epoch),
          }
        }),
      }
    },

    month(wanted: { year?: number; month?: number }): z.input<typeof MonthTable> {
      const here = setting()
      if (!here) return NO_LOCATION
      const isComplete = wanted.year !== undefined && wanted.month !== undefined
      if (!isComplete && !wall.isSet()) return NO_TIME
      const now = localDate(here.zone, wall.now())
      const { year = now.year, month = now.month } = wanted
      const dates = Array.from({ length: daysInMonth(year, month) }, (_, index) => ({
        year,
        month,
        day: index + 1,
      }))
      return {
        valid: true,
        year,
        month,
        days: dates.map((date) => ({
          date: formatDate(date),
          hijri: hijriDate(date, here.config.hijri_adjust),
          ...wallTimes(here, dayOf(here, date)),
        })),
      }
    },
  }
}

const countdown = ({ zone }: Setting, { prayer, at }: PrayerMoment, now: number) => ({
  prayer,
  time: wallMinute(zone, at),
  epoch: seconds(at),
  in_s: Math.max(0, Math.ceil((at - now) / 1000)),
})

/** A tenth of a second of arc is finer than refraction is known. */
const degrees = (value: number) => Math.round(value * 10_000) / 10_000

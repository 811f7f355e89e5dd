import { addDays, type CalendarDate } from './calendar-date.ts'
import type { Daylight } from './daylight.ts'
import { nearestTwilight, type TwilightSide, twilightAt, twilightPortion } from './high-latitude.ts'
import { isRamadan } from './hijri.ts'
import type { HighLatitude, SummerCalendar, Timetable } from './method.ts'
import { methodOf, type PrayerConfig } from './methods.ts'
import { russianDusk } from './russian-dusk.ts'
import { sarajevoLength } from './sarajevo-twilight.ts'
import { dawnMinutes, duskMinutes, SEASONS_END_AT_LATITUDE } from './seasonal-twilight.ts'
import { eveningAt, type SolarDay } from './solar-day.ts'
import { summerLength } from './summer-calendar.ts'
import { timetableMinutes } from './timetable-twilight.ts'

/** Angles are altitudes: below the horizon is negative. */
export type TwilightRule =
  | { kind: 'angle'; angle: number }
  | { kind: 'after_maghrib'; minutes: number; ramadan: boolean }
  | { kind: 'night_portion'; portion: number; high_latitude: HighLatitude; angle: number | null }
  /** As long after or before noon as on the nearest day when the sun sank to the angle. */
  | { kind: 'nearest_day'; date: CalendarDate; angle: number }
  /** The Moonsighting Committee's minutes for the season and the latitude. */
  | { kind: 'season'; minutes: number; angle: number }
  /** Tatarstan's minutes for the nights without darkness. */
  | { kind: 'white_night'; minutes: number }
  /** A table's minutes for the day of the year. */
  | { kind: 'timetable'; minutes: number; timetable: Timetable }
  /** As long as twilight lasts in Sarajevo. */
  | { kind: 'sarajevo'; minutes: number }
  /** What a calendar holds in summer. */
  | { kind: 'summer'; minutes: number; calendar: SummerCalendar }

type Twilight = { raw: number; rule: TwilightRule }

/** The day whose sun is taken: in the polar day and the polar night another than the one asked for. */
export type Source = { date: CalendarDate; day: SolarDay; daylight: Daylight }

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
// The Umm al-Qura calendar's note on Isha: half an hour later in Ramadan, for the tarawih congregation.
const RAMADAN_ISHA_MIN = 120
// Spiritual Administration of Muslims of Tatarstan, its table of 2026: before sunrise and after sunset.
const WHITE_NIGHT_MIN = { dawn: 121, dusk: 90 }

export function fajr(source: Source, config: PrayerConfig): Twilight {
  const { ms, rule } = twilightLength('dawn', source, -methodOf(config).fajr_angle, config)
  return { raw: source.daylight.sunrise - ms, rule }
}

/** `date` is the one asked for, which decides whether it is Ramadan. */
export function isha(
  date: CalendarDate,
  source: Source,
  maghrib: number,
  config: PrayerConfig,
): Twilight {
  const method = methodOf(config)
  const { sunset } = source.daylight
  if (method.isha_angle === null)
    return ishaByClock(intervalOf(date, config, method.isha_interval_min), maghrib, source.daylight)
  const { ms, rule } = twilightLength('dusk', source, -method.isha_angle, config)
  return { raw: sunset + ms, rule }
}

/** For those who wait for the redness in the east to go; null where Maghrib is simply sunset. */
export function maghribByAngle({ day, daylight }: Source, config: PrayerConfig): Twilight | null {
  const { maghrib_angle } = methodOf(config)
  const raw = maghrib_angle === null ? null : eveningAt(day, -maghrib_angle)
  if (maghrib_angle === null || raw === null) return null
  const isBeforeMiddle = raw - daylight.sunset <= daylight.nightAfter / 2
  return isBeforeMiddle ? { raw, rule: { kind: 'angle', angle: -maghrib_angle } } : null
}

type Interval = { minutes: number; ramadan: boolean }

function intervalOf(date: CalendarDate, config: PrayerConfig, usual: number): Interval {
  // Only Umm al-Qura has the longer one; other conventions of an interval keep theirs.
  const hasLonger = config.method === 3 && !config.convention
  const ramadan = hasLonger && config.ramadan_isha === true && isRamadan(date, config.hijri_adjust)
  return { minutes: ramadan ? RAMADAN_ISHA_MIN : usual, ramadan }
}

/** Before the night's middle in any case: near the polar circle 90 minutes may outlast the night. */
function ishaByClock(
  interval: Interval,
  maghrib: number,
  { sunset, nightAfter }: Daylight,
): Twilight {
  const raw = maghrib + interval.minutes * MINUTE_MS
  const middle = sunset + nightAfter / 2
  if (raw <= middle) return { raw, rule: { kind: 'after_maghrib', ...interval } }
  return { raw: Math.max(maghrib, middle), rule: portionRule('middle_of_the_night', 1 / 2, null) }
}

type Length = { ms: number; rule: TwilightRule }

/** How long before sunrise Fajr is, or after sunset Isha. */
function twilightLength(
  side: TwilightSide,
  source: Source,
  angle: number,
  config: PrayerConfig,
): Length {
  const { day, daylight } = source
  const method = methodOf(config)
  const [edge, night] =
    side === 'dawn'
      ? [daylight.sunrise, daylight.nightBefore]
      : [daylight.sunset, daylight.nightAfter]
  const portion = (rule: Exclude<HighLatitude, 'nearest_day'>): Length => {
    const isRussian = method.russian && side === 'dusk' && rule === 'twilight_angle'
    const share = isRussian ? russianDusk(source.date) : twilightPortion(rule, side, day, angle)
    return { ms: share * night, rule: portionRule(rule, share, angle) }
  }
  const moment = twilightAt(side, day, angle)
  const byAngle: Length | undefined =
    moment === null ? undefined : { ms: Math.abs(edge - moment), rule: { kind: 'angle', angle } }

  // Fajr is measured by the night it ends and Isha by the one it begins, and neither passes its middle,
  // so that one day's Isha never passes the next day's Fajr. adhan takes the night after for both, and
  // there it can.
  const middle = portion('middle_of_the_night')
  const high_latitude = method.high_latitude ?? config.high_latitude ?? 'middle_of_the_night'
  if (method.white_nights && twilightAt(side, day, -method.fajr_angle) === null) {
    const minutes = WHITE_NIGHT_MIN[side]
    return shortest({ ms: minutes * MINUTE_MS, rule: { kind: 'white_night', minutes } }, middle)
  }
  const { timetable } = method
  if (timetable) {
    const minutes = timetableMinutes(timetable, side, source.date)
    const rule = { kind: 'timetable', minutes, timetable } as const
    return shortest({ ms: minutes * MINUTE_MS, rule }, middle)
  }
  const inSarajevo = method.sarajevo && sarajevoLength(side, day, angle)
  if (inSarajevo) {
    const minutes = Math.round(inSarajevo / MINUTE_MS)
    return shortest({ ms: inSarajevo, rule: { kind: 'sarajevo', minutes } }, middle)
  }
  if (method.summer) {
    const asAt45 = (altitude: number) =>
      twilightPortion('nearest_latitude', side, day, altitude) * night
    const { date } = source
    const ms = summerLength(method.summer, { side, date, day, edge, byAngle: byAngle?.ms, asAt45 })
    const minutes = Math.round(ms / MINUTE_MS)
    const held: Length = { ms, rule: { kind: 'summer', minutes, calendar: method.summer } }
    return shortest(byAngle?.ms === ms ? byAngle : held, middle)
  }
  if (method.seasonal) {
    const isFar = Math.abs(day.lat) >= SEASONS_END_AT_LATITUDE
    const first = isFar ? portion('seventh_of_the_night') : (byAngle ?? middle)
    return shortest(shortest(first, bySeason(side, source, angle)), middle)
  }
  if (high_latitude === 'nearest_day')
    return shortest(byAngle ?? byNearestDay(side, source, edge, angle) ?? middle, middle)
  if (high_latitude === 'nearest_latitude')
    return shortest(byAngle ?? portion(high_latitude), middle)
  const longest = portion(high_latitude)
  return byAngle ? shortest(byAngle, longest) : longest
}

/** The first of two that are alike: an angle before what would stand in for it. */
const shortest = (a: Length, b: Length): Length => (a.ms <= b.ms ? a : b)

function bySeason(side: TwilightSide, { date, day }: Source, angle: number): Length {
  const minutes = (side === 'dawn' ? dawnMinutes : duskMinutes)(date, day.lat)
  return { ms: minutes * MINUTE_MS, rule: { kind: 'season', minutes, angle } }
}

function byNearestDay(
  side: TwilightSide,
  { date, day }: Source,
  edge: number,
  angle: number,
): Length | undefined {
  const found = nearestTwilight(side, day, angle)
  if (!found) return undefined
  const days = Math.round((found.transit - day.transit) / DAY_MS)
  return {
    ms: Math.abs(edge - (day.transit + found.fromTransit)),
    rule: { kind: 'nearest_day', date: addDays(date, days), angle },
  }
}

const portionRule = (high_latitude: HighLatitude, portion: number, angle: number | null) =>
  ({ kind: 'night_portion', portion, high_latitude, angle }) as const

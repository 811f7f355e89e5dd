import { addDays, type CalendarDate, utcMidnight } from './calendar-date.ts'
import { asrAltitude, type ShadowFactor } from './daylight.ts'
import type { DerivedDay, Rule } from './derived-day.ts'
import type { Method } from './method.ts'
import {
  NORTHERN_ISHA_ANGLE,
  type NorthernSun,
  type Season,
  seasonOf,
  twilightOn,
} from './northern-season.ts'
import { forEachPrayer, type Prayer } from './prayers.ts'
import { HORIZON, type Place, type SolarDay, solarDay, sunOf } from './solar-day.ts'
import { DEGREE_MS } from './sun.ts'

const FROM_LATITUDE = 44.5
/** Beyond, where nobody prints a table, the sun may stay too low for dawn in winter too. */
const TO_LATITUDE = 75
const FROM_SOLSTICE_LATITUDE = 60

const MINUTE_MS = 60_000
const SHORTEST_MS = 5 * 60 * MINUTE_MS
const DAY_MS = 86_400_000

export const isNorthern = (lat: number) => lat >= FROM_LATITUDE && lat <= TO_LATITUDE

/** As `deriveDay`, from Diyanet's rules for the north (northern-season.ts). */
export function northernDay(
  date: CalendarDate,
  place: Place,
  factor: ShadowFactor,
  method: Method,
): DerivedDay {
  const { minutes } = method
  const { days, season } = yearOf(date.year, place, method)
  const index = (utcMidnight(date) - utcMidnight({ ...date, month: 1, day: 1 })) / DAY_MS
  const day = solarDay(date, { ...place, held: true })
  const midnight = utcMidnight(date)
  const fajr = twilightOn(days, index, season, 'fajr', -method.fajr_angle)
  const isha = twilightOn(days, index, season, 'isha', -NORTHERN_ISHA_ANGLE)
  const { sunrise, maghrib, isClamped } = fajr.day
  const horizon: Rule = isClamped
    ? { kind: 'northern_five_hours' }
    : { kind: 'horizon', angle: HORIZON }
  const found: Record<Prayer, { at: number; rule: Rule }> = {
    fajr: { at: midnight + fajr.at, rule: fajr.rule },
    sunrise: { at: midnight + sunrise, rule: horizon },
    dhuhr: { at: day.transit + ms(minutes.dhuhr), rule: { kind: 'transit' } },
    asr: asrOf(day, factor, minutes),
    maghrib: { at: midnight + maghrib, rule: horizon },
    isha: { at: midnight + isha.at, rule: isha.rule },
  }
  return {
    transit: day.transit,
    basis: { kind: 'this_day' },
    sun: sunOf(day),
    moments: forEachPrayer((prayer) => {
      const { at, rule } = found[prayer]
      return { raw: at - ms(minutes[prayer]), rule, method_min: minutes[prayer] ?? 0 }
    }),
  }
}

const ms = (minutes = 0) => minutes * MINUTE_MS

type Year = { days: readonly NorthernSun[]; season: Season }

/** The table of a month asks thirty times for the same year. */
let kept: { key: string; year: Year } | undefined

function yearOf(year: number, place: Place, method: Method): Year {
  const key = [year, place.lat, place.lng, place.utc_offset_s].join()
  if (kept?.key !== key) kept = { key, year: reckonYear(year, place, method) }
  return kept.year
}

function reckonYear(year: number, place: Place, method: Method): Year {
  const site = { ...place, held: true }
  const newYear = { year, month: 1, day: 1 }
  const midsummer = { year, month: 6, day: 21 }
  const solstice = solarDay(midsummer, site)
  const days = Array.from({ length: 366 }, (_, days) => {
    const date = addDays(newYear, days)
    return northernSun(solarDay(date, site), utcMidnight(date), solstice, method)
  })
  const index = (utcMidnight(midsummer) - utcMidnight(newYear)) / DAY_MS
  return { days, season: seasonOf(days, index) }
}

/** What Diyanet's estimates go by, with its temkin, in milliseconds from 0 h UT. */
function northernSun(
  day: SolarDay,
  midnight: number,
  solstice: SolarDay,
  { fajr_angle, minutes }: Method,
): NorthernSun {
  const transit = day.transit - midnight
  const noon = transit + ms(minutes.dhuhr)
  const { declination } = sunOf(day)(midnight)
  const arc = halfArc(day.lat, declination, HORIZON)
  const [shortest, longest] = [SHORTEST_MS / 2, (DAY_MS - SHORTEST_MS) / 2]
  const toHorizon = arc ?? (declination > 0 ? DAY_MS : 0)
  const within = (length: number) => Math.min(longest, Math.max(shortest, length))
  const before = within(noon - (transit - toHorizon + ms(minutes.sunrise)))
  const after = within(transit + toHorizon + ms(minutes.maghrib) - noon)
  // From 60° on no day begins earlier or ends later than that of the solstice may.
  const isFar = day.lat >= FROM_SOLSTICE_LATITUDE
  const noonThen = solstice.transit - (solstice.heldAt ?? 0) + ms(minutes.dhuhr)
  const sunrise = isFar ? Math.max(noon - before, noonThen - longest) : noon - before
  const maghrib = isFar ? Math.min(noon + after, noonThen + longest) : noon + after
  const dawn = halfArc(day.lat, declination, -fajr_angle)
  const dusk = halfArc(day.lat, declination, -NORTHERN_ISHA_ANGLE)
  const isAsItIs =
    arc !== null &&
    Math.abs(sunrise - (transit - arc + ms(minutes.sunrise))) < 1 &&
    Math.abs(maghrib - (transit + arc + ms(minutes.maghrib))) < 1
  return {
    fajr: dawn === null ? null : transit - dawn,
    isha: dusk === null ? null : transit + dusk,
    sunrise,
    maghrib,
    isClamped: !isAsItIs,
  }
}

function asrOf(
  day: SolarDay,
  factor: ShadowFactor,
  minutes: Method['minutes'],
): { at: number; rule: Rule } {
  const { declination } = sunOf(day)(day.transit)
  const earliest = day.transit + ms(minutes.dhuhr) + MINUTE_MS
  const hasShadow = Math.abs(day.lat - declination) < 90
  const arc = hasShadow
    ? halfArc(day.lat, declination, asrAltitude(day.lat, factor, declination))
    : null
  const at = arc === null ? earliest : day.transit + arc + ms(minutes.asr)
  return at > earliest
    ? { at, rule: { kind: 'shadow', factor } }
    : { at: earliest, rule: { kind: 'northern_no_shadow' } }
}

/** Milliseconds that a held sun takes from noon to an altitude, or null when it never stands there. */
function halfArc(lat: number, declination: number, altitude: number): number | null {
  const [north, sun, height] = [radians(lat), radians(declination), radians(altitude)]
  const ratio =
    (Math.sin(height) - Math.sin(north) * Math.sin(sun)) / (Math.cos(north) * Math.cos(sun))
  return Math.abs(ratio) > 1 ? null : ((Math.acos(ratio) * 180) / Math.PI) * DEGREE_MS
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

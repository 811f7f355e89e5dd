import { addDays, type CalendarDate } from './calendar-date.ts'
import { type Daylight, daylightOf, type ShadowFactor } from './daylight.ts'
import { civilNoon, type Place, type Site, type SolarDay, solarDay } from './solar-day.ts'
import { sunAt } from './sun.ts'

/** Whose sun the times are: where it does not rise and set, that of the nearest day or latitude. */
export type Basis =
  | { kind: 'this_day' }
  | { kind: 'nearest_day'; date: CalendarDate }
  | { kind: 'nearest_latitude'; lat: number }

export type UsableDay = {
  day: SolarDay
  daylight: Daylight
  basis: Basis
  /** Milliseconds from the borrowed day to the one asked for. */
  shift: number
}

const DAY_MS = 86_400_000
const HALF_A_YEAR = 183
// Above about 89.6° no day has both a sunrise and a sunset; at 65° every day has.
export const LATITUDE_WITH_EVERY_SUNRISE = 65

/** The day itself, or in the polar day and the polar night the nearest one, later before earlier. */
export function usableDay(date: CalendarDate, place: Site, factor: ShadowFactor): UsableDay {
  return (
    borrowedDay(date, place, factor, 0) ??
    nearestDay(date, place, factor) ??
    nearestLatitude(date, place, factor)
  )
}

function nearestDay(date: CalendarDate, place: Site, factor: ShadowFactor): UsableDay | null {
  for (let distance = 1; distance <= HALF_A_YEAR; distance++) {
    const found =
      borrowedDay(date, place, factor, distance) ?? borrowedDay(date, place, factor, -distance)
    if (found) return found
  }
  return null
}

function nearestLatitude(date: CalendarDate, place: Site, factor: ShadowFactor): UsableDay {
  const lat = Math.sign(place.lat) * LATITUDE_WITH_EVERY_SUNRISE
  return {
    ...usableDay(date, { ...place, lat }, factor),
    basis: { kind: 'nearest_latitude', lat },
  }
}

function borrowedDay(
  date: CalendarDate,
  place: Site,
  factor: ShadowFactor,
  days: number,
): UsableDay | null {
  const source = addDays(date, days)
  if (plainlyPolar(source, place)) return null
  const day = solarDay(source, place)
  const daylight = daylightOf(day, factor)
  if (!daylight) return null
  if (days === 0) return { day, daylight, basis: { kind: 'this_day' }, shift: 0 }
  // A borrowed day is followed by itself, so its nights run from its own sunset to its own sunrise.
  const night = daylight.sunrise + DAY_MS - daylight.sunset
  return {
    day,
    daylight: { ...daylight, nightBefore: night, nightAfter: night },
    basis: { kind: 'nearest_day', date: source },
    shift: -days * DAY_MS,
  }
}

/** A quick no from one look at the sun; its declination moves by at most 0.2° in half a day. */
function plainlyPolar(date: CalendarDate, place: Place): boolean {
  const { declination } = sunAt(civilNoon(date, place))
  const noonAltitude = 90 - Math.abs(place.lat - declination)
  const midnightAltitude = Math.abs(place.lat + declination) - 90
  return noonAltitude < -0.5 || midnightAltitude > 0
}

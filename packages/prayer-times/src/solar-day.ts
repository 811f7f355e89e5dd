import { type CalendarDate, utcMidnight } from './calendar-date.ts'
import { crossing } from './crossing.ts'
import { heldSun, type Sun, solarTransit, sunAltitude, sunAt } from './sun.ts'

const HOUR_MS = 3_600_000

/** Degrees: the upper edge touches the horizon, 34' of refraction and 16' of radius (Meeus, page 102). */
export const HORIZON = -50 / 60

export type Place = {
  lat: number
  lng: number
  /**
   * Seconds east of UTC of the civil clock around noon of the date. It only chooses the transit that
   * belongs to the date: the one nearest to 12:00 on that clock, so an hour of daylight saving more or
   * less does not matter, but Samoa (UTC+13 at longitude -172) needs it. Without it the clock is taken
   * to follow the longitude.
   */
  utc_offset_s?: number
}

/** `held` where the sun of a whole day is taken to be that of its 0 h UT. */
export type Site = Place & { held: boolean }

/** A place between two solar midnights, with the moment the sun is in its meridian. */
export type SolarDay = {
  lat: number
  lng: number
  transit: number
  /** The 0 h UT whose sun is taken for the whole day; null for the sun as it goes. */
  heldAt: number | null
}

/** 12:00 of the civil clock, from which the day's transit is never half a day away. */
export function civilNoon(date: CalendarDate, { lng, utc_offset_s }: Place): number {
  const offsetMs = utc_offset_s === undefined ? (lng / 15) * HOUR_MS : utc_offset_s * 1000
  return utcMidnight(date) + 12 * HOUR_MS - offsetMs
}

export function solarDay(date: CalendarDate, site: Site): SolarDay {
  return dayAround(site, civilNoon(date, site), site.held ? utcMidnight(date) : null)
}

export function neighbour(day: SolarDay, days: 1 | -1): SolarDay {
  const ms = days * 24 * HOUR_MS
  return dayAround(day, day.transit + ms, day.heldAt === null ? null : day.heldAt + ms)
}

function dayAround({ lat, lng }: Place, near: number, heldAt: number | null): SolarDay {
  return { lat, lng, transit: solarTransit(lng, near, sunOf({ heldAt })), heldAt }
}

export const sunOf = ({ heldAt }: Pick<SolarDay, 'heldAt'>): Sun =>
  heldAt === null ? sunAt : heldSun(heldAt)

/** When the sun climbs through an altitude between midnight and noon, or null when it never does. */
export function morningAt(day: SolarDay, altitude: number): number | null {
  return sunReaches(day, () => altitude, -12)
}

/** When the sun sinks through an altitude between noon and midnight, or null when it never does. */
export function eveningAt(day: SolarDay, altitude: number): number | null {
  return sunReaches(day, () => altitude, 12)
}

/** As `eveningAt`, for an altitude that itself depends on the moment. */
export function eveningWhen(day: SolarDay, altitudeAt: (epochMs: number) => number): number | null {
  return sunReaches(day, altitudeAt, 12)
}

function sunReaches(
  day: SolarDay,
  altitudeAt: (epochMs: number) => number,
  hours: number,
): number | null {
  const { lat, lng, transit } = day
  const sun = sunOf(day)
  const excess = (moment: number) => sunAltitude(lat, lng, moment, sun) - altitudeAt(moment)
  return crossing(excess, transit, transit + hours * HOUR_MS)
}

import {
  eveningAt,
  eveningWhen,
  HORIZON,
  morningAt,
  neighbour,
  type SolarDay,
} from './solar-day.ts'
import { sunAltitude, sunAt } from './sun.ts'

/** The moments that only exist on a day when the sun rises and sets. */
export type Daylight = {
  sunrise: number
  asr: number
  sunset: number
  /** Milliseconds from the sunset of the day before to this sunrise. */
  nightBefore: number
  /** Milliseconds from this sunset to the next sunrise. */
  nightAfter: number
}

/** By how many heights of what casts it a shadow outgrows its noon length: 2 for the Hanafi school. */
export type ShadowFactor = 1 | 2

/** Null in the polar day and the polar night, and beside them where a night has no end or beginning. */
export function daylightOf(day: SolarDay, factor: ShadowFactor): Daylight | null {
  // With the sun's centre below the horizon all day there is no shadow, so no Asr.
  if (sunAltitude(day.lat, day.lng, day.transit) <= 0) return null
  const sunrise = morningAt(day, HORIZON)
  const sunset = eveningAt(day, HORIZON)
  if (sunrise === null || sunset === null) return null
  const asr = eveningWhen(day, (moment) => asrAltitude(day.lat, factor, moment))
  const sunsetBefore = eveningAt(neighbour(day, -1), HORIZON)
  const sunriseAfter = morningAt(neighbour(day, 1), HORIZON)
  if (asr === null || sunsetBefore === null || sunriseAfter === null) return null
  const nightBefore = sunrise - sunsetBefore
  return { sunrise, asr, sunset, nightBefore, nightAfter: sunriseAfter - sunset }
}

/** Degrees. The noon shadow is that of the sun's declination at the moment itself, not at 0 h UT. */
export function asrAltitude(lat: number, factor: ShadowFactor, epochMs: number): number {
  const zenithDistanceAtNoon = (Math.abs(lat - sunAt(epochMs).declination) * Math.PI) / 180
  return (Math.atan(1 / (factor + Math.tan(zenithDistanceAtNoon))) * 180) / Math.PI
}

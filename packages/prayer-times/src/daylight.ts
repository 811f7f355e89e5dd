import {
  eveningAt,
  eveningWhen,
  HORIZON,
  morningAt,
  neighbour,
  type SolarDay,
  sunOf,
} from './solar-day.ts'
import { sunAltitude } from './sun.ts'

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
  const sun = sunOf(day)
  // With the sun's centre below the horizon all day there is no shadow, so no Asr.
  if (sunAltitude(day.lat, day.lng, day.transit, sun) <= 0) return null
  const sunrise = morningAt(day, HORIZON)
  const sunset = eveningAt(day, HORIZON)
  if (sunrise === null || sunset === null) return null
  const asr = eveningWhen(day, (at) => asrAltitude(day.lat, factor, sun(at).declination))
  const sunsetBefore = eveningAt(neighbour(day, -1), HORIZON)
  const sunriseAfter = morningAt(neighbour(day, 1), HORIZON)
  if (asr === null || sunsetBefore === null || sunriseAfter === null) return null
  const nightBefore = sunrise - sunsetBefore
  return { sunrise, asr, sunset, nightBefore, nightAfter: sunriseAfter - sunset }
}

/** Degrees. The noon shadow is that of the declination at the moment itself, unless the sun is held. */
export function asrAltitude(lat: number, factor: ShadowFactor, declination: number): number {
  const zenithDistanceAtNoon = (Math.abs(lat - declination) * Math.PI) / 180
  return (Math.atan(1 / (factor + Math.tan(zenithDistanceAtNoon))) * 180) / Math.PI
}

// Page numbers are those of Jean Meeus, Astronomical Algorithms, 2nd edition.

const RADIANS = Math.PI / 180
/** The sun's meridian moves west by 15° an hour. */
export const DEGREE_MS = 240_000

const sin = (degrees: number) => Math.sin(degrees * RADIANS)
const cos = (degrees: number) => Math.cos(degrees * RADIANS)
const asin = (ratio: number) => Math.asin(Math.max(-1, Math.min(1, ratio))) / RADIANS

type SunPosition = {
  /** Degrees north of the celestial equator. */
  declination: number
  /** Degrees east of Greenwich at which the sun is in the meridian: 0..360. */
  meridian: number
}

/** Where the sun is taken to stand at a moment. */
export type Sun = (epochMs: number) => SunPosition

/**
 * Where the sun stands at a moment, to about 0.01° (page 163), which is 2.4 s of clock time.
 * Universal time stands in for dynamical time: the 70 s between them move the sun by 0.0008°.
 */
export function sunAt(epochMs: number): SunPosition {
  const days = epochMs / 86_400_000 - 10_957.5 // since J2000.0, 2000-01-01 12:00
  const T = days / 36_525
  const meanLongitude = 280.46646 + T * (36_000.76983 + T * 0.0003032) // page 163
  const anomaly = 357.52911 + T * (35_999.05029 - T * 0.0001537) // page 163
  const centre = // page 164
    (1.914602 - T * (0.004817 + T * 0.000014)) * sin(anomaly) +
    (0.019993 - T * 0.000101) * sin(2 * anomaly) +
    0.000289 * sin(3 * anomaly)
  const node = 125.04 - 1934.136 * T
  const nutation = -0.00478 * sin(node) // page 164
  const longitude = meanLongitude + centre - 0.00569 + nutation // page 164, 0.00569 is aberration
  const obliquity = 23.4392911 - 0.0130042 * T + 0.00256 * cos(node) // pages 147 and 165
  const rightAscension = Math.atan2(cos(obliquity) * sin(longitude), cos(longitude)) / RADIANS // page 165
  const siderealTime = // page 88
    280.46061837 + 360.98564736629 * days + T * T * 0.000387933 + nutation * cos(obliquity)
  return {
    declination: asin(sin(obliquity) * sin(longitude)), // page 165
    meridian: turn(rightAscension - siderealTime),
  }
}

/** A sun that goes round evenly from where it stands at a moment, neither farther north nor south. */
export function heldSun(since: number): Sun {
  const { declination, meridian } = sunAt(since)
  return (epochMs) => ({ declination, meridian: turn(meridian - (epochMs - since) / DEGREE_MS) })
}

/** Degrees above the horizon of the sun's centre, without refraction (page 93). */
export function sunAltitude(lat: number, lng: number, epochMs: number, sun: Sun = sunAt): number {
  const { declination, meridian } = sun(epochMs)
  return asin(sin(lat) * sin(declination) + cos(lat) * cos(declination) * cos(lng - meridian))
}

/** The moment nearest to `near` when the sun crosses the meridian of `lng`. */
export function solarTransit(lng: number, near: number, sun: Sun = sunAt): number {
  let moment = near
  // Against mean time the sun drifts by 30 s a day at most, so the second step is exact to 5 ms.
  for (let step = 0; step < 2; step++) {
    const westOfSun = turn(sun(moment).meridian - lng + 180) - 180
    moment += westOfSun * DEGREE_MS
  }
  return moment
}

const turn = (degrees: number) => ((degrees % 360) + 360) % 360

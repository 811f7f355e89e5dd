import { daylightOf } from './daylight.ts'
import type { HighLatitude } from './method.ts'
import { eveningAt, morningAt, neighbour, type SolarDay } from './solar-day.ts'

export type TwilightSide = 'dawn' | 'dusk'

const HALF_A_YEAR = 183

// Islamic Fiqh Council of the Muslim World League, 9th session (1986), third decision: beyond the places
// where the signs of Isha and Fajr are seen all year, as large a part of the night as at latitude 45°.
const REFERENCE_LATITUDE = 45

/** When the sun stands at the altitude before sunrise, or after sunset; null when it never does. */
export const twilightAt = (side: TwilightSide, day: SolarDay, altitude: number) =>
  side === 'dawn' ? morningAt(day, altitude) : eveningAt(day, altitude)

/** The part of the night that twilight takes, or may take at most, by one of the four rules of parts. */
export function twilightPortion(
  rule: Exclude<HighLatitude, 'nearest_day'>,
  side: TwilightSide,
  day: SolarDay,
  altitude: number,
): number {
  switch (rule) {
    case 'middle_of_the_night':
      return 1 / 2
    case 'seventh_of_the_night':
      return 1 / 7
    case 'twilight_angle':
      return Math.min(1 / 2, -altitude / 60)
    case 'nearest_latitude':
      return portionAt45(side, day, altitude)
  }
}

function portionAt45(side: TwilightSide, day: SolarDay, altitude: number): number {
  const there = { ...day, lat: Math.sign(day.lat) * REFERENCE_LATITUDE }
  const daylight = daylightOf(there, 1)
  const moment = twilightAt(side, there, altitude)
  if (!daylight || moment === null) return 1 / 2
  const portion =
    side === 'dawn'
      ? (daylight.sunrise - moment) / daylight.nightBefore
      : (moment - daylight.sunset) / daylight.nightAfter
  return Math.min(1 / 2, portion)
}

export type NearestTwilight = {
  /** Milliseconds from the sun's transit to the twilight, on that day. */
  fromTransit: number
  /** The transit of that day. */
  transit: number
}

/** The nearest day on which the sun does sink that deep, later before earlier; null where none does. */
export function nearestTwilight(
  side: TwilightSide,
  day: SolarDay,
  altitude: number,
): NearestTwilight | null {
  let later = day
  let earlier = day
  for (let distance = 1; distance <= HALF_A_YEAR; distance++) {
    later = neighbour(later, 1)
    earlier = neighbour(earlier, -1)
    for (const candidate of [later, earlier]) {
      const moment = twilightAt(side, candidate, altitude)
      if (moment !== null)
        return { fromTransit: moment - candidate.transit, transit: candidate.transit }
    }
  }
  return null
}

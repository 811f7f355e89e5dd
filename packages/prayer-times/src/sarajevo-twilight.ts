import { type TwilightSide, twilightAt } from './high-latitude.ts'
import { eveningAt, HORIZON, morningAt, type SolarDay } from './solar-day.ts'

const LATITUDE = 43.86
/** Degrees of latitude: the city itself, and the towns that the Takvim has. */
const [CITY, TOWNS] = [0.05, 2]

/**
 * The Takvim adds the same minutes to Sarajevo's Fajr as to its sunrise, and to its Isha as to its Maghrib, so that
 * twilight lasts as long in every town as there. Milliseconds; null in the city and where the Takvim is not printed.
 */
export function sarajevoLength(side: TwilightSide, day: SolarDay, altitude: number): number | null {
  const away = Math.abs(day.lat - LATITUDE)
  if (away < CITY || away > TOWNS) return null
  const there = { ...day, lat: LATITUDE }
  const moment = twilightAt(side, there, altitude)
  const edge = side === 'dawn' ? morningAt(there, HORIZON) : eveningAt(there, HORIZON)
  return moment === null || edge === null ? null : Math.abs(edge - moment)
}

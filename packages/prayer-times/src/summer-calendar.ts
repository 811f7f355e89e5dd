import { type CalendarDate, utcMidnight } from './calendar-date.ts'
import type { TwilightSide } from './high-latitude.ts'
import type { SummerCalendar } from './method.ts'
import type { SolarDay } from './solar-day.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A night's twilight. `byAngle` is how long it lasts, undefined where it does not end. */
type SummerTwilight = {
  side: TwilightSide
  date: CalendarDate
  day: SolarDay
  /** Sunrise or sunset. */
  edge: number
  byAngle: number | undefined
  /** As long as at latitude 45°, as a part of the night, for an altitude of the sun. */
  asAt45: (altitude: number) => number
}

/** Milliseconds before sunrise or after sunset. */
export function summerLength(calendar: SummerCalendar, twilight: SummerTwilight): number {
  return calendar === 'norway' ? norwegian(twilight) : belgian(twilight)
}

// Islamsk Råd Norge's calendars of 2026 for Oslo and Trondheim, by what others found to be the sun's altitude at their
// times: Fajr stands still at one hour in spring and at another in late summer, and is an hour before sunrise in between;
// Isha goes evenly to midsummer and back, and is 40 minutes after Maghrib at least. Minutes of mean solar time at Oslo,
// and what a degree of latitude adds.
const OSLO = 59.91
const ISHA_AT_MIDSUMMER = [1331.9, 14.4] as const
const BEFORE_MIDSUMMER = { fajr: [140.1, 8.7], ishaADay: [1.07, 0.137] } as const
const AFTER_MIDSUMMER = { fajr: [120.1, 5], ishaADay: [1.07, 0.155] } as const
const LEAST_MIN = { dawn: 60, dusk: 45 }
const NORWAY = { from: 57.5, to: 65 }

export const isInNorway = (lat: number) => lat >= NORWAY.from

/** From equinox to equinox its Dhuhr is five minutes later. */
export const isNorwegianSummer = ({ month, day }: CalendarDate) =>
  month * 100 + day >= 321 && month * 100 + day <= 920

function norwegian({ side, date, day, edge, byAngle = Number.POSITIVE_INFINITY }: SummerTwilight) {
  if (!isInNorway(day.lat)) return byAngle
  const atLatitude = ([atOslo, aDegree]: readonly [number, number]) =>
    atOslo + aDegree * (Math.min(day.lat, NORWAY.to) - OSLO)
  const fromMidsummer = daysFrom(date, { month: 6, day: 21 })
  const { fajr, ishaADay } = fromMidsummer < 0 ? BEFORE_MIDSUMMER : AFTER_MIDSUMMER
  const isha = atLatitude(ISHA_AT_MIDSUMMER) - Math.abs(fromMidsummer) * atLatitude(ishaADay)
  const held = side === 'dawn' ? edge - clock(day, atLatitude(fajr)) : clock(day, isha) - edge
  return Math.max(LEAST_MIN[side] * MINUTE_MS, Math.min(byAngle, held))
}

// The Executive's table of 2026 for Brussels: in summer Fajr is held at 03:24 and Isha at 23:26, from July at 23:33;
// farther from the sun where that is as large a part of the night as at latitude 45°, which the Executive names, and
// never farther than its angle. Minutes of mean solar time; the altitudes are what its times of June ask for.
const HELD_IN_BELGIUM = { fajr: 101.4, isha: 1303.4, ishaFromJuly: 1310.4 }
const BELGIAN_ALTITUDE = { dawn: -18.2, dusk: -16.5 }

function belgian(twilight: SummerTwilight): number {
  const { side, date, day, edge, byAngle, asAt45 } = twilight
  const proportional = asAt45(BELGIAN_ALTITUDE[side])
  const { month } = date
  if (month < 4 || month > 8) return byAngle ?? proportional
  const { fajr, isha, ishaFromJuly } = HELD_IN_BELGIUM
  const held =
    side === 'dawn' ? edge - clock(day, fajr) : clock(day, month < 7 ? isha : ishaFromJuly) - edge
  return Math.min(byAngle ?? Number.POSITIVE_INFINITY, Math.max(held, proportional))
}

/** So many minutes after the midnight before the day's noon, by the mean sun of the place. */
function clock({ transit, lng }: SolarDay, minutes: number): number {
  const offset = lng * 4 * MINUTE_MS
  return Math.floor((transit + offset) / DAY_MS) * DAY_MS - offset + minutes * MINUTE_MS
}

function daysFrom(date: CalendarDate, day: Omit<CalendarDate, 'year'>): number {
  return (utcMidnight(date) - utcMidnight({ year: date.year, ...day })) / DAY_MS
}

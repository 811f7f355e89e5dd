import { type CalendarDate, utcMidnight } from './calendar-date.ts'

/** From here on the Moonsighting Committee takes a seventh of the night instead of its table. */
export const SEASONS_END_AT_LATITUDE = 55

const DAY_MS = 86_400_000

// Minutes at the equator and what 55° of latitude adds to them, at four points of the half-year from the
// winter solstice to the summer solstice (Khalid Shaukat, moonsighting.com/how-we.html; dusk is that of
// "shafaq general", the mean of the red and the white).
const DAWN = { atEquator: 75, at55: [28.65, 19.44, 32.74, 48.1] } as const
const DUSK = { atEquator: 75, at55: [25.6, 2.05, -9.21, 6.14] } as const
const POINTS = [0, 91, 137, 183] as const

export const dawnMinutes = (date: CalendarDate, lat: number) => interpolate(DAWN, date, lat)
export const duskMinutes = (date: CalendarDate, lat: number) => interpolate(DUSK, date, lat)

function interpolate(table: typeof DAWN | typeof DUSK, date: CalendarDate, lat: number): number {
  const since = daysSinceWinterSolstice(date, lat)
  // The second half of the year is the first one backwards.
  const day = since < 183 ? since : Math.max(0, 366 - since)
  const last = day < POINTS[1] ? 1 : day < POINTS[2] ? 2 : 3
  const [from, to] = [POINTS[last - 1] ?? 0, POINTS[last] ?? 0]
  const minutesAt = (point: number) =>
    table.atEquator + ((table.at55[point] ?? 0) / 55) * Math.abs(lat)
  const share = (day - from) / (to - from)
  return minutesAt(last - 1) + (minutesAt(last) - minutesAt(last - 1)) * share
}

function daysSinceWinterSolstice({ year, month, day }: CalendarDate, lat: number): number {
  const newYear = utcMidnight({ year, month: 1, day: 1 })
  const daysInYear = (utcMidnight({ year: year + 1, month: 1, day: 1 }) - newYear) / DAY_MS
  const dayOfYear = (utcMidnight({ year, month, day }) - newYear) / DAY_MS + 1
  const shifted = lat >= 0 ? dayOfYear + 10 : dayOfYear - (daysInYear - 193)
  return (shifted + daysInYear) % daysInYear
}

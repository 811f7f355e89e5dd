import type { CalendarDate } from './calendar-date.ts'
import type { TwilightSide } from './high-latitude.ts'

const DAY_MS = 86_400_000
const MIDWINTER = 97

// The London Unified Prayer Timetable of 2026 and of an earlier year, which are the same in this: minutes from Fajr
// to sunrise, and from Maghrib to Isha. It steps from day to day and is never more than one off what lies evenly
// between these.
const POINTS = {
  dawn: points(
    '1-1 97, 3-19 97, 3-31 92, 4-17 92, 4-30 97, 6-13 121, 6-19 121, 7-31 103, 8-29 92, 9-15 92, 9-29 87, 11-16 102, 12-15 102, 12-25 99, 12-29 97, 12-31 97',
  ),
  dusk: points(
    '1-1 97, 1-31 97, 2-8 92, 2-28 87, 3-9 82, 4-9 75, 4-30 71, 5-14 70, 6-14 81, 6-28 75, 7-1 72, 7-29 63, 9-30 77, 10-9 81, 10-29 87, 11-9 92, 11-30 97, 12-31 97',
  ),
}

/** Full minutes between twilight and the sun's edge. */
export function londonMinutes(side: TwilightSide, { month, day }: CalendarDate): number {
  const now = dayOfYear(month, day)
  for (const [index, to] of POINTS[side].entries()) {
    const from = POINTS[side][index - 1]
    if (!from || now > to.at) continue
    const share = (now - from.at) / (to.at - from.at)
    return Math.round(from.minutes + (to.minutes - from.minutes) * share)
  }
  return MIDWINTER
}

function points(text: string): { at: number; minutes: number }[] {
  return text.split(', ').map((point) => {
    const [month = 0, day = 0, minutes = 0] = point.split(/[- ]/).map(Number)
    return { at: dayOfYear(month, day), minutes }
  })
}

/** In a year without a leap day, which is taken for 1 March. */
function dayOfYear(month: number, day: number): number {
  return Date.UTC(2001, month - 1, day) / DAY_MS
}

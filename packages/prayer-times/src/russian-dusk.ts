import { type CalendarDate, utcMidnight } from './calendar-date.ts'

// The transition that the Spiritual Administration's fatwa of 2021 calls smooth: 15/60 of the night until
// 27 April and from 5 August on, 18/60 in June, evenly in between.
const [USUAL, MIDSUMMER] = [15 / 60, 18 / 60]
const [RISE, TOP, FALL, END] = [
  { month: 4, day: 27 },
  { month: 6, day: 1 },
  { month: 6, day: 30 },
  { month: 8, day: 5 },
]

/** The part of the night that lies between sunset and Isha at most. */
export function russianDusk(date: CalendarDate): number {
  const at = (day: Omit<CalendarDate, 'year'>) => utcMidnight({ year: date.year, ...day })
  const now = utcMidnight(date)
  const risen = (now - at(RISE)) / (at(TOP) - at(RISE))
  const left = (at(END) - now) / (at(END) - at(FALL))
  return USUAL + (MIDSUMMER - USUAL) * Math.max(0, Math.min(1, risen, left))
}

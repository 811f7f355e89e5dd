import { type CalendarDate, daysInMonth } from './calendar-date.ts'
import { type HijriDate, hijriDate } from './hijri.ts'
import type { PrayerConfig } from './methods.ts'
import { prayerTimes } from './prayer-times.ts'
import type { Prayer } from './prayers.ts'
import type { Place } from './solar-day.ts'

export type MonthRow = { date: CalendarDate; hijri: HijriDate; epochs: Record<Prayer, number> }

/** The timetable of a Gregorian month, one row a day. */
export function month(year: number, month: number, place: Place, config: PrayerConfig): MonthRow[] {
  return Array.from({ length: daysInMonth(year, month) }, (_, index) => {
    const date = { year, month, day: index + 1 }
    return {
      date,
      hijri: hijriDate(date, config.hijri_adjust),
      epochs: prayerTimes(date, place, config),
    }
  })
}

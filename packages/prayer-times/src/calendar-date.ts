/** A day on the wall calendar of the place, without a time or a zone. Months count from 1. */
export type CalendarDate = { year: number; month: number; day: number }

const DAY_MS = 86_400_000

/** Midnight UTC that begins the date, the anchor the other files count from. */
export function utcMidnight({ year, month, day }: CalendarDate): number {
  return Date.UTC(year, month - 1, day)
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  const moved = new Date(utcMidnight(date) + days * DAY_MS)
  return {
    year: moved.getUTCFullYear(),
    month: moved.getUTCMonth() + 1,
    day: moved.getUTCDate(),
  }
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export function formatDate({ year, month, day }: CalendarDate): string {
  const digits = (value: number, width: number) => String(value).padStart(width, '0')
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
}

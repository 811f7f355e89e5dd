import { offsetAt } from './offset-at.ts'
import type { PosixTz } from './posix-tz.ts'

/** What a clock and a calendar on the wall show. Months count from 1, weekday 0 is Sunday. */
export type LocalTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  weekday: number
}

export function localTime(zone: PosixTz, epochMs: number): LocalTime {
  const wall = new Date(epochMs + offsetAt(zone, epochMs).offset_s * 1000)
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    weekday: wall.getUTCDay(),
  }
}

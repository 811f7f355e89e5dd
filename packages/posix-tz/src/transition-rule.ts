/** The day of a change, in the three forms of POSIX. */
export type TransitionDay =
  /** `Mm.w.d`: the w-th weekday d (0 = Sunday) of month m; week 5 is the last one. */
  | { kind: 'month'; month: number; week: number; weekday: number }
  /** `Jn`: day 1..365; February 29 is never counted, so J60 is always March 1. */
  | { kind: 'julian'; day: number }
  /** `n`: day 0..365; February 29 is counted in leap years. */
  | { kind: 'zero_based'; day: number }

/** `time_s` is counted from local midnight and may be negative or lie beyond the day: -167..167 hours. */
export type TransitionRule = { on: TransitionDay; time_s: number }

const DAY_MS = 86_400_000

/** The moment of the change in a year, on a clock that is `offset_s` ahead of UTC. */
export function transitionIn(
  year: number,
  { on, time_s }: TransitionRule,
  offset_s: number,
): number {
  return midnightOf(year, on) + (time_s - offset_s) * 1000
}

function midnightOf(year: number, on: TransitionDay): number {
  const newYear = Date.UTC(year, 0, 1)
  if (on.kind === 'zero_based') return newYear + on.day * DAY_MS
  if (on.kind === 'month') return weekdayOf(year, on)
  const march1 = Date.UTC(year, 2, 1)
  return on.day < 60 ? newYear + (on.day - 1) * DAY_MS : march1 + (on.day - 60) * DAY_MS
}

type WeekdayOfMonth = Extract<TransitionDay, { kind: 'month' }>

function weekdayOf(year: number, { month, week, weekday }: WeekdayOfMonth): number {
  const firstOfMonth = new Date(Date.UTC(year, month - 1, 1))
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const first = 1 + ((weekday - firstOfMonth.getUTCDay() + 7) % 7)
  const wanted = first + (week - 1) * 7
  return Date.UTC(year, month - 1, wanted > lastDay ? wanted - 7 : wanted)
}

import { whichOfTwo } from '../../parts/which-of-two.ts'

const TIME = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
const DAY = { month: 'short', day: 'numeric' } as const

/** Kept: making one takes a hundred times as long as using it, and a tail shows 500 lines at a time. */
const formats = new Map<string, ReturnType<typeof formatsOf>>()
const formatsOf = (locale?: string) => ({
  clock: new Intl.DateTimeFormat(locale, TIME),
  day: new Intl.DateTimeFormat(locale, DAY),
  dayOfYear: new Intl.DateTimeFormat(locale, { ...DAY, year: 'numeric' }),
})

/** The time of an event here, to the millisecond: with its day unless today, with its year unless this. */
export function lineTime(at: string, now: Date, locale?: string): string {
  const { clock, day, dayOfYear } = formats.get(locale ?? '') ?? formatsOf(locale)
  formats.set(locale ?? '', { clock, day, dayOfYear })
  const time = new Date(at)
  const exact = `${clock.format(time)}.${at.slice(20, 23)}${whichOfTwo(time)}`
  if (time.toDateString() === now.toDateString()) return exact
  const isThisYear = time.getFullYear() === now.getFullYear()
  return `${(isThisYear ? day : dayOfYear).format(time)} ${exact}`
}

/** The time of an event here, to the millisecond: with its day unless today, with its year unless this. */
export function lineTime(at: string, now: Date, locale?: string): string {
  const time = new Date(at)
  const clock = `${time.toLocaleTimeString(locale, { hourCycle: 'h23' })}.${at.slice(20, 23)}`
  if (time.toDateString() === now.toDateString()) return clock
  const isThisYear = time.getFullYear() === now.getFullYear()
  const day = time.toLocaleDateString(locale, {
    ...{ month: 'short', day: 'numeric' },
    ...(!isThisYear && { year: 'numeric' }),
  })
  return `${day} ${clock}`
}

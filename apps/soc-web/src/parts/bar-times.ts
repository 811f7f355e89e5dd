type Bars = { first: string; last: string }

/** How the time of a bar is said: to the minute, and no longer than it takes to tell bars apart. */
export function barTimes(
  { first, last }: Bars,
  locale?: string,
  timeZone?: string,
): (at: string) => string {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) })
    return (at: string) => made.format(new Date(at))
  }
  const isSame = (said: (at: string) => string) => said(first) === said(last)
  // The same hour of two days needs the day as well.
  const hasDay = !isSame(format({ dateStyle: 'short' }))
  const hasYear = !isSame(format({ year: 'numeric' }))
  // So does one that comes twice, when the clocks are put back, need its zone.
  const hasZone = !isSame(format({ year: 'numeric', timeZoneName: 'longOffset' }))
  return format({
    ...(hasDay && { month: 'short', day: 'numeric' }),
    ...(hasYear && { year: 'numeric' }),
    ...{ hour: '2-digit', minute: '2-digit' },
    ...(hasZone && { timeZoneName: 'shortOffset' }),
  })
}

/** What is counted by days of UTC: each is the same day wherever it is read. */
export const dayOfBar = (day: string, locale?: string) =>
  new Date(day).toLocaleDateString(locale, { timeZone: 'UTC' })

const FAR_MS = 3 * 3_600_000
const MINUTE_MS = 60_000

/**
 * Behind a time that clocks show twice, since they were put back meanwhile, which of both it is:
 * ` GMT+1`. Behind any other nothing.
 */
export function whichOfTwo(time: Date): string {
  const offsetAt = (ms: number) => new Date(time.getTime() + ms).getTimezoneOffset()
  const backMs = (offsetAt(FAR_MS) - offsetAt(-FAR_MS)) * MINUTE_MS
  if (backMs <= 0 || offsetAt(backMs) === offsetAt(-backMs)) return ''
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(time)
  return ` ${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`
}

import { text } from './text.ts'

export const Timezone = text(64).refine(
  isTimezone,
  'must be the name of a time zone, such as Asia/Riyadh or UTC',
)

function isTimezone(name: string): boolean {
  // An offset such as +03:00 is taken by Intl too, but knows no summer time.
  if (/^[+-]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

import { offsetAt } from '@manara/posix-tz/offset-at'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'

/**
 * A moment on a clock that goes by this rule, summer time as it is at that moment: what it shows are
 * the UTC parts of the date. Without a rule it is the clock of the phone.
 */
export function wallClock(rule: string | undefined, seconds: number): Date {
  const millis = seconds * 1000
  return new Date(millis + (rule ? zoneAhead(rule, millis) : phoneAhead(millis)))
}

const zoneAhead = (rule: string, millis: number) =>
  offsetAt(parsePosixTz(rule), millis).offset_s * 1000

const phoneAhead = (millis: number) => -new Date(millis).getTimezoneOffset() * 60_000

const DAY_MS = 86_400_000
const EARLIEST = Date.UTC(1980, 0, 1)

/**
 * The moment a text or number means, in milliseconds since 1970, of all shapes that logs commonly
 * use; undefined when it is none of them or absurd, that is before 1980 or over a day ahead of us.
 */
export function momentOf(value: unknown, receivedAt: number): number | undefined {
  const at = anyMoment(value, receivedAt)
  return at !== undefined && isPlausible(at, receivedAt) ? Math.floor(at) : undefined
}

/**
 * Of `01-31 10:00:00`, a text without its year: the latest that is not ahead of us. Who sends it may
 * have New Year before us.
 */
export function momentOfSomeYear(text: string, receivedAt: number): number | undefined {
  const year = new Date(receivedAt).getUTCFullYear()
  return (
    momentOf(`${year + 1}-${text}`, receivedAt) ??
    momentOf(`${year}-${text}`, receivedAt) ??
    momentOf(`${year - 1}-${text}`, receivedAt)
  )
}

/** A moment that cannot be true: what a clock says that is far off. A small number is a duration. */
export function claimedMoment(value: unknown, receivedAt: number): number | undefined {
  if (typeof value === 'number' && value < SMALLEST_EPOCH) return undefined
  const at = anyMoment(value, receivedAt)
  if (at === undefined || isPlausible(at, receivedAt)) return undefined
  return at >= FIRST && at <= LAST ? Math.floor(at) : undefined
}

const SMALLEST_EPOCH = 1e8
const FIRST = Date.UTC(1900, 0, 1)
const LAST = Date.UTC(9999, 11, 31)

const isPlausible = (at: number, receivedAt: number) => at >= EARLIEST && at <= receivedAt + DAY_MS

function anyMoment(value: unknown, receivedAt: number): number | undefined {
  if (typeof value === 'number') return ofEpoch(value)
  return typeof value === 'string' ? ofText(value.trim(), receivedAt) : undefined
}

/** The magnitude tells the unit: today is 10 digits in seconds, 13 in milli-, 16 in micro-, 19 in nanoseconds. */
function ofEpoch(value: number): number | undefined {
  if (!(value > 0)) return undefined
  if (value < 1e11) return value * 1e3
  if (value < 1e14) return value
  if (value < 1e17) return value / 1e3
  // Windows counts tenths of microseconds since 1601: 18 digits for all dates of interest.
  if (value < 3e17) return value / 1e4 - 11_644_473_600_000
  return value / 1e6
}

const ISO =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[Tt ] ?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)? ?(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/
const ISO_BASIC =
  /^(\d{4})(\d{2})(\d{2})[Tt ]?(\d{2})(\d{2})(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}(?::?\d{2})?)?$/
// `10/Oct/2000:13:55:36 -0700` of web servers; `10 Oct 2000 …` and `10-Oct-2000 …` of others.
const DAY_FIRST =
  /^(?:[A-Za-z]{3},? +)?(\d{1,2})[ /-]([A-Za-z]{3})[a-z]*[ /-](\d{4})[: ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/
// `Oct 11 22:14:15`, as RFC 3164 and without a year; some devices put the year or fractions in, and
// Kibana an `@` before the time.
const MONTH_FIRST =
  /^(?:[A-Za-z]{3},? +)?([A-Za-z]{3})[a-z]* +(\d{1,2}),?(?: +(\d{4})(?: @)?)? +(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?: +(\d{4}))?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/
const EPOCH = /^\d{9,19}(?:\.\d+)?$/
const DOTNET = /^\/?Date\((-?\d+)(?:[+-]\d{4})?\)\/?$|^\\?\/Date\((-?\d+)(?:[+-]\d{4})?\)\\?\/$/
const US =
  /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? +(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?: *([AaPp])[Mm])?$/

function ofText(text: string, receivedAt: number): number | undefined {
  if (text.length < 8 || text.length > 64) return undefined
  const ours = ofOurs(text)
  if (ours !== undefined) return ours
  const iso = ISO.exec(text) ?? ISO_BASIC.exec(text)
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso
    return moment([year, Number(month) - 1, day, hour, minute, second], fraction, zone)
  }
  if (EPOCH.test(text)) return ofEpoch(Number(text))
  return ofMonthName(text, receivedAt) ?? ofWindows(text)
}

/**
 * `2026-11-15T08:00:00.000Z`, the shape that most senders write, digit by digit: the patterns take ten
 * times as long. Any other, and what may be no day of its month, is left to them.
 */
function ofOurs(text: string): number | undefined {
  if (text.length !== 24 || text[10] !== 'T' || text[23] !== 'Z') return undefined
  if (text[4] !== '-' || text[7] !== '-') return undefined
  if (text[13] !== ':' || text[16] !== ':' || text[19] !== '.') return undefined
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)]
  const millis = digits(text, 20, 23)
  const isDate = year >= 1980 && month >= 1 && month <= 12 && day >= 1 && day <= 28
  if (!isDate || !(hour < 24 && minute < 60 && second < 60 && millis >= 0)) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second, millis)
}

/** Not a number when one is none. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function ofMonthName(text: string, receivedAt: number): number | undefined {
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) {
    const [, day, name = '', year, hour, minute, second, fraction, zone] = dayFirst
    return moment([year, monthOf(name), day, hour, minute, second], fraction, zone)
  }
  const [matched, name = '', day, before, hour, minute, second, fraction, after, zone] =
    MONTH_FIRST.exec(text) ?? []
  if (!matched) return undefined
  const month = monthOf(name)
  const year = before ?? after
  if (year) return moment([year, month, day, hour, minute, second], fraction, zone)
  return withoutYear([month, day, hour, minute, second].map(Number), fraction, receivedAt)
}

/** The latest year that does not put it into the future; in the time zone of this machine, as syslog daemons do. */
function withoutYear(parts: number[], fraction: string | undefined, receivedAt: number) {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  if (!isPossible(month, day, hour, minute, second)) return undefined
  const isLeapDay = month === 1 && day === 29
  const nextYear = new Date(receivedAt).getFullYear() + 1
  const earliest = nextYear - (isLeapDay ? MOST_YEARS_TO_LEAP_DAY + 1 : 2)
  for (let year = nextYear; year >= earliest; year -= 1) {
    if (isLeapDay && !isLeapYear(year)) continue
    const at = new Date(year, month, day, hour, minute, second).getTime() + millis(fraction)
    if (at <= receivedAt + DAY_MS) return at
  }
  return undefined
}

/** Around 1900 and 2100 there are eight years between two of them. */
const MOST_YEARS_TO_LEAP_DAY = 8
const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1

function ofWindows(text: string): number | undefined {
  const [dotnet, milliseconds, escaped] = DOTNET.exec(text) ?? []
  if (dotnet) return Number(milliseconds ?? escaped)
  const [us, month, day, year, hour, minute, second, fraction, half] = US.exec(text) ?? []
  if (!us) return undefined
  const of24 = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : hour
  return moment([year, Number(month) - 1, day, of24, minute, second], fraction, undefined)
}

type Part = string | number | undefined

/** A time without a zone is taken as UTC. */
function moment(parts: Part[], fraction: string | undefined, zone: string | undefined) {
  const [year = 0, month = 0, day = 1, hour = 0, minute = 0, second = 0] = parts.map(numberOf)
  // Below 100 Date.UTC would read a year of 1900: .NET writes the year 1 for a time that was not set.
  if (year < 100 || !isPossible(month, day, hour, minute, second)) return undefined
  if (month === 1 && day === 29 && !isLeapYear(year)) return undefined
  const offset = offsetMs(zone)
  if (offset === undefined) return undefined
  return Date.UTC(year, month, day, hour, minute, second) + millis(fraction) - offset
}

const numberOf = (part: Part) => (part === undefined ? undefined : Number(part))

/** In some year. */
const isPossible = (month: number, day: number, hour: number, minute: number, second: number) =>
  day >= 1 && day <= (DAYS[month] ?? 0) && hour < 24 && minute < 60 && second <= 60

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const millis = (fraction: string | undefined) =>
  fraction ? Math.floor(Number(`0.${fraction.slice(0, 9)}`) * 1_000) : 0

/** None where there is no such zone, as `+99:99`. */
function offsetMs(zone: string | undefined): number | undefined {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? []
  if (!sign) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase())

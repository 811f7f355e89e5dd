/** What a written moment covers: `2026-03-01` a day, `10:15` a minute, an instant one millisecond. */
export type Span = { from: number; to: number }

const UNITS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const RELATIVE = /^now(?:([+-])(\d{1,6})([smhdw]))?$/
const WRITTEN =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.](\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i

/** ISO dates and times, UTC unless they say so, and `now`, `now-24h`; undefined when it is neither. */
export function parseMoment(text: string, now: number): Span | undefined {
  const relative = RELATIVE.exec(text)
  if (relative) {
    const [, sign, count = '0', unit = 's'] = relative
    const moment = now + (sign === '-' ? -1 : 1) * Number(count) * (UNITS[unit] ?? 0)
    return { from: moment, to: moment + 1 }
  }
  const written = WRITTEN.exec(text)
  return written ? writtenSpan(written) : undefined
}

function writtenSpan(match: RegExpExecArray): Span | undefined {
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    zone,
  ] = match
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`
  const from = Date.parse(iso)
  // The 31st of February would become the 3rd of March.
  if (Number.isNaN(from) || new Date(from).toISOString() !== iso) return undefined
  const shift = zoneMinutes(zone) * 60_000
  return { from: from - shift, to: spanEnd(from, match) - shift }
}

function spanEnd(from: number, [, , month, day, hour, , second, fraction]: RegExpExecArray) {
  if (fraction) return from + 1
  if (second) return from + 1000
  if (hour) return from + 60_000
  if (day) return from + 86_400_000
  const date = new Date(from)
  if (month) return date.setUTCMonth(date.getUTCMonth() + 1)
  return date.setUTCFullYear(date.getUTCFullYear() + 1)
}

function zoneMinutes(zone = 'Z'): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.replace(/\D/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}

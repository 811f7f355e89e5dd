import { formatDate } from './calendar-date.ts'
import type { Rule } from './derived-day.ts'
import type { SummerCalendar, Timetable } from './method.ts'
import type { Prayer } from './prayers.ts'
import type { RoundingDirection } from './rounding.ts'
import type { Basis } from './usable-day.ts'

type Facts = {
  rule: Rule
  angle: number | null
  rounding: RoundingDirection
  rounded_by_s: number
  method_min: number
  offset_min: number
}

/** One sentence for a person: what happens in the sky, and what was done to the clock time. */
export function prayerText(prayer: Prayer, facts: Facts): string {
  return `${event(prayer, facts)}; ${rounded(facts)}${moved(facts)}.`
}

/** Empty when the times are the day's own. */
export function basisText(basis: Basis): string {
  if (basis.kind === 'this_day') return ''
  if (basis.kind === 'nearest_day')
    return `The sun does not both rise and set on this day, so the times are those of ${formatDate(basis.date)}, the nearest day when it does.`
  return `The sun never both rises and sets within a day here, so the times are those of latitude ${basis.lat}°.`
}

function event(prayer: Prayer, { rule, angle }: Facts): string {
  const name = NAMES[prayer]
  const where = prayer === 'fajr' || prayer === 'sunrise' ? 'eastern' : 'western'
  switch (rule.kind) {
    case 'angle':
      return `${name} is when the sun is ${degrees(-rule.angle)} below the ${where} horizon`
    case 'horizon':
      return `${name} is when the sun's upper edge touches the ${where} horizon, its centre ${degrees(-rule.angle)} below`
    case 'transit':
      return `${name} is when the sun has crossed the meridian and begins to sink`
    case 'shadow':
      return `${name} is when a shadow has grown since noon by ${rule.factor === 1 ? 'the height' : 'twice the height'} of what casts it, with the sun ${degrees(angle ?? 0)} high`
    case 'after_maghrib':
      return `${name} is ${rule.minutes} minutes after Maghrib${rule.ramadan ? ', since it is Ramadan' : ''}`
    case 'night_portion':
      return `${name} is ${fraction(rule.portion)} of the night ${prayer === 'fajr' ? 'before sunrise' : 'after sunset'} (${rule.high_latitude.replaceAll('_', ' ')}), since ${excuse(rule.angle)}`
    case 'nearest_day':
      return `${name} is as long ${prayer === 'fajr' ? 'before' : 'after'} noon as on ${formatDate(rule.date)}, the nearest day when the sun stands ${degrees(-rule.angle)} below the horizon`
    case 'season':
      return `${name} is ${Math.round(rule.minutes)} minutes ${prayer === 'fajr' ? 'before sunrise' : 'after sunset'}, as the Moonsighting Committee found twilight to last in this season at this latitude`
    case 'white_night':
      return `${name} is ${rule.minutes} minutes ${prayer === 'fajr' ? 'before sunrise' : 'after sunset'}, as Tatarstan has it in the nights that do not become dark`
    case 'timetable':
      return `${name} is ${rule.minutes} minutes ${prayer === 'fajr' ? 'before sunrise' : 'after sunset'}, as ${TIMETABLES[rule.timetable]} has it on this day of the year`
    case 'sarajevo':
      return `${name} is ${rule.minutes} minutes ${prayer === 'fajr' ? 'before sunrise' : 'after sunset'}, as long as twilight lasts in Sarajevo on this day`
    case 'summer':
      return `${name} is ${rule.minutes} minutes ${prayer === 'fajr' ? 'before sunrise' : 'after sunset'}, as ${SUMMER_CALENDARS[rule.calendar]} has it in summer`
    case 'northern_night':
      return `${name} is ${fraction(rule.portion)} of the night ${prayer === 'fajr' ? 'before sunrise' : 'after Maghrib'}, as Diyanet estimates it in the weeks of the northern summer without a true dawn`
    case 'northern_change':
      return `${name} moves evenly between its angle and Diyanet's estimate for the northern summer`
    case 'northern_five_hours':
      return `${name} leaves day and night at least five hours each, as Diyanet has it in the far north`
    case 'northern_no_shadow':
      return `${name} follows Dhuhr at once, since the sun casts no shadow`
  }
}

const TIMETABLES: Record<Timetable, string> = {
  london: "London's unified timetable",
  ireland: 'the timetable of the Islamic Cultural Centre of Ireland',
}

const SUMMER_CALENDARS: Record<SummerCalendar, string> = {
  norway: "Norway's common calendar",
  belgium: 'the Executive of the Muslims of Belgium',
}

const NAMES: Record<Prayer, string> = {
  fajr: 'Fajr',
  sunrise: 'Sunrise',
  dhuhr: 'Dhuhr',
  asr: 'Asr',
  maghrib: 'Maghrib',
  isha: 'Isha',
}

function excuse(angle: number | null): string {
  if (angle === null) return 'the night is too short for the usual interval'
  return `the sun does not stand ${degrees(-angle)} below the horizon within that time`
}

function fraction(portion: number): string {
  if (portion === 1 / 2) return 'half'
  return portion === 1 / 7 ? 'a seventh' : `${Math.round(portion * 100)} %`
}

function rounded({ rounding, rounded_by_s: by }: Facts): string {
  if (by === 0) return 'that is a full minute'
  const direction = rounding === 'nearest' ? 'to the nearest minute' : `${rounding} to the minute`
  return `the time is rounded ${direction} (${signed(by)} s)`
}

function moved({ method_min, offset_min }: Facts): string {
  const byMethod = method_min === 0 ? '' : `, the method moves it by ${signed(method_min)} min`
  return offset_min === 0 ? byMethod : `${byMethod} and moved by ${signed(offset_min)} min`
}

const degrees = (value: number) => `${Number(value.toFixed(2))}°`
const signed = (value: number) => (value > 0 ? `+${value}` : `−${-value}`)

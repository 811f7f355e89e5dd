import { type CalendarDate, formatDate } from './calendar-date.ts'
import { asrAltitude } from './daylight.ts'
import { deriveDay } from './derive-day.ts'
import type { Rule } from './derived-day.ts'
import { basisText, prayerText } from './explain-text.ts'
import type { Method, Rounding } from './method.ts'
import { methodOf, type PrayerConfig, roundingOf } from './methods.ts'
import { forEachPrayer, type Prayer } from './prayers.ts'
import { type RoundingDirection, roundingDirection, roundToMinute } from './rounding.ts'
import type { Place } from './solar-day.ts'
import { type Sun, sunAltitude } from './sun.ts'
import type { Basis } from './usable-day.ts'

type PrayerExplanation = {
  rule: Rule
  /** The altitude looked for, in degrees; null where the clock or the meridian decides. */
  angle: number | null
  /** Where the sun stands at the raw moment, in degrees. */
  sun_altitude: number
  sun_declination: number
  /** Epoch milliseconds, on the full second. */
  raw_epoch: number
  rounding: RoundingDirection
  rounded_by_s: number
  /** What the convention itself adds, in minutes. */
  method_min: number
  offset_min: number
  /** The time that counts, as `prayerTimes` gives it. */
  epoch: number
  text: string
}

export type DayExplanation = {
  date: string
  method: Method
  rounding: Rounding
  /** The sun's crossing of the meridian, in epoch milliseconds. */
  transit: number
  /** Seconds by which a sundial is ahead of a clock of mean time. */
  equation_of_time_s: number
  basis: Basis
  basis_text: string
  prayers: Record<Prayer, PrayerExplanation>
}

/** How each of the six times came about. */
export function explain(date: CalendarDate, place: Place, config: PrayerConfig): DayExplanation {
  const { transit, basis, sun, moments } = deriveDay(date, place, config)
  const mode = roundingOf(config)
  return {
    date: formatDate(date),
    method: methodOf(config),
    rounding: mode,
    transit: Math.round(transit),
    equation_of_time_s: equationOfTime(transit, place.lng),
    basis,
    basis_text: basisText(basis),
    prayers: forEachPrayer((prayer, index) => {
      const { raw, rule, method_min } = moments[prayer]
      const rounding = roundingDirection(mode, prayer)
      const rounded = roundToMinute(raw, rounding)
      const raw_epoch = Math.round(raw / 1000) * 1000
      const offset_min = config.offsets_min?.[index] ?? 0
      const facts = {
        rule,
        angle: angleOf(rule, place.lat, raw, sun),
        sun_altitude: sunAltitude(place.lat, place.lng, raw, sun),
        sun_declination: sun(raw).declination,
        raw_epoch,
        rounding,
        rounded_by_s: (rounded - raw_epoch) / 1000,
        method_min,
        offset_min,
        epoch: rounded + (method_min + offset_min) * 60_000,
      }
      return { ...facts, text: prayerText(prayer, facts) }
    }),
  }
}

function angleOf(rule: Rule, lat: number, raw: number, sun: Sun): number | null {
  if (rule.kind === 'shadow') return asrAltitude(lat, rule.factor, sun(raw).declination)
  return 'angle' in rule ? rule.angle : null
}

function equationOfTime(transit: number, lng: number): number {
  const meanTime = transit / 1000 + lng * 240
  const pastNoon = (((meanTime % 86_400) + 86_400) % 86_400) - 43_200
  return Math.round(-pastNoon)
}

import type { CalendarDate } from './calendar-date.ts'
import type { ShadowFactor } from './daylight.ts'
import type { PrayerConfig } from './methods.ts'
import { forEachPrayer, type Prayer } from './prayers.ts'
import { HORIZON, type Place } from './solar-day.ts'
import { fajr, isha, type TwilightRule } from './twilight.ts'
import { type Basis, usableDay } from './usable-day.ts'

/** Why a prayer is when it is. */
export type Rule =
  | TwilightRule
  | { kind: 'horizon'; angle: number }
  | { kind: 'transit' }
  | { kind: 'shadow'; factor: ShadowFactor }

type Moment = { raw: number; rule: Rule }

export type DerivedDay = { transit: number; basis: Basis; moments: Record<Prayer, Moment> }

/** The six moments before rounding and offsets, each with the rule that put it there. */
export function deriveDay(date: CalendarDate, place: Place, config: PrayerConfig): DerivedDay {
  const factor = config.asr_hanafi ? 2 : 1
  const { day, daylight, basis, shift } = usableDay(date, place, factor)
  const horizon: Rule = { kind: 'horizon', angle: HORIZON }
  const moments: Record<Prayer, Moment> = {
    fajr: fajr(day, daylight, config),
    sunrise: { raw: daylight.sunrise, rule: horizon },
    dhuhr: { raw: day.transit, rule: { kind: 'transit' } },
    asr: { raw: daylight.asr, rule: { kind: 'shadow', factor } },
    maghrib: { raw: daylight.sunset, rule: horizon },
    isha: isha(date, day, daylight, config),
  }
  return {
    transit: day.transit + shift,
    basis,
    moments: forEachPrayer((prayer) => {
      const { raw, rule } = moments[prayer]
      return { raw: raw + shift, rule }
    }),
  }
}

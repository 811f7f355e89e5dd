import { addDays, type CalendarDate } from './calendar-date.ts'
import type { DerivedDay, Found, Moment, Rule } from './derived-day.ts'
import type { Method, Minutes } from './method.ts'
import { methodOf, type PrayerConfig } from './methods.ts'
import { isNorthern, northernDay } from './northern-day.ts'
import { forEachPrayer, PRAYERS, type Prayer } from './prayers.ts'
import { HORIZON, type Place, sunOf } from './solar-day.ts'
import { isInNorway, isNorwegianSummer } from './summer-calendar.ts'
import { fajr, isha, maghribByAngle } from './twilight.ts'
import { LATITUDE_WITH_EVERY_SUNRISE, usableDay } from './usable-day.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** By how much the middle of a night may be off, counted from one day alone; and rounding. */
const MARGIN_MS = 8 * MINUTE_MS

/** The six moments before rounding and offsets, each with the rule that put it there. */
export function deriveDay(date: CalendarDate, place: Place, config: PrayerConfig): DerivedDay {
  const day = dayAlone(date, place, config)
  if (Math.abs(place.lat) <= LATITUDE_WITH_EVERY_SUNRISE) return day
  // Today may be borrowed from before midsummer and tomorrow from after it, when the nights are others.
  const { fajr } = dayAlone(addDays(date, 1), place, config).moments
  const { isha, maghrib } = day.moments
  if (withMinutes(isha) <= withMinutes(fajr)) return day
  const latest = withMinutes(fajr) < withMinutes(maghrib) ? maghrib : fajr
  return { ...day, moments: { ...day.moments, isha: { ...latest, rule: isha.rule } } }
}

const withMinutes = ({ raw, method_min }: Moment) => raw + method_min * MINUTE_MS

function dayAlone(date: CalendarDate, place: Place, config: PrayerConfig): DerivedDay {
  const factor = config.asr_hanafi ? 2 : 1
  const method = methodOf(config)
  if (method.diyanet && isNorthern(place.lat)) return northernDay(date, place, factor, method)
  const site = { ...place, held: method.held }
  const { day, daylight, basis, shift } = usableDay(date, site, factor)
  const source = { day, daylight, date: basis.kind === 'nearest_day' ? basis.date : date }
  const horizon: Rule = { kind: 'horizon', angle: HORIZON }
  const sunset = { raw: daylight.sunset, rule: horizon }
  const redness = maghribByAngle(source, config) ?? sunset
  const night = isha(date, source, redness.raw, config)
  const found: Record<Prayer, Found> = {
    fajr: fajr(source, config),
    sunrise: { raw: daylight.sunrise, rule: horizon },
    dhuhr: { raw: day.transit, rule: { kind: 'transit' } },
    asr: { raw: daylight.asr, rule: { kind: 'shadow', factor } },
    // In the shortest nights Isha is brought forward, and Maghrib is not to come after it.
    maghrib: redness.raw <= night.raw ? redness : sunset,
    isha: night,
  }
  const middle = (daylight.sunset + daylight.sunrise + DAY_MS) / 2
  const minutes = inOrder(
    found,
    beforeFajr(found.isha.raw, middle, minutesAt(place.lat, date, method)),
  )
  return {
    transit: day.transit + shift,
    basis,
    sun: sunOf(day),
    moments: forEachPrayer((prayer) => ({
      raw: found[prayer].raw + shift,
      rule: found[prayer].rule,
      method_min: minutes[prayer] ?? 0,
    })),
  }
}

function minutesAt(lat: number, date: CalendarDate, method: Method): Minutes {
  const { minutes, farther, summer } = method
  if (summer === 'norway' && isInNorway(lat) && isNorwegianSummer(date))
    return { ...minutes, dhuhr: (minutes.dhuhr ?? 0) + 5 }
  return farther && Math.abs(lat) >= farther.from ? farther.minutes : minutes
}

/** In the shortest nights Isha is brought forward to their middle, where Fajr may begin: it stays there. */
function beforeFajr(isha: number, middle: number, minutes: Minutes): Minutes {
  const { fajr: atFajr = 0, isha: atIsha = 0 } = minutes
  const isFree = isha + atIsha * MINUTE_MS <= middle - MARGIN_MS
  return isFree || atIsha <= atFajr ? minutes : { ...minutes, isha: atFajr }
}

/** None on the few polar days that are so short that they would turn the order of the prayers around. */
function inOrder(found: Record<Prayer, Found>, minutes: Minutes): Minutes {
  const moved = PRAYERS.map((prayer) => found[prayer].raw + (minutes[prayer] ?? 0) * MINUTE_MS)
  // Rounding moves two neighbours by up to a minute against each other.
  const isInOrder = moved.every(
    (at, index) => index === 0 || at >= (moved[index - 1] ?? 0) + MINUTE_MS,
  )
  return isInOrder ? minutes : {}
}

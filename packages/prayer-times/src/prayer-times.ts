import type { CalendarDate } from './calendar-date.ts'
import { deriveDay } from './derive-day.ts'
import { type PrayerConfig, roundingOf } from './methods.ts'
import { forEachPrayer, type Prayer } from './prayers.ts'
import { roundingDirection, roundToMinute } from './rounding.ts'
import type { Place } from './solar-day.ts'

/**
 * The six times of a civil date as epoch milliseconds on full minutes. Isha may fall after midnight.
 * There is always an answer; `explain` says when it had to be borrowed from another day.
 */
export function prayerTimes(
  date: CalendarDate,
  place: Place,
  config: PrayerConfig,
): Record<Prayer, number> {
  const { moments } = deriveDay(date, place, config)
  const mode = roundingOf(config)
  return forEachPrayer((prayer, index) => {
    const { raw, method_min } = moments[prayer]
    const rounded = roundToMinute(raw, roundingDirection(mode, prayer))
    return rounded + (method_min + (config.offsets_min?.[index] ?? 0)) * 60_000
  })
}

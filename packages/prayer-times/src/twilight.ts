import type { CalendarDate } from './calendar-date.ts'
import type { Daylight } from './daylight.ts'
import { isRamadan } from './hijri.ts'
import { type HighLatitude, methodOf, type PrayerConfig, twilightPortion } from './methods.ts'
import { eveningAt, morningAt, type SolarDay } from './solar-day.ts'

/** Angles are altitudes: below the horizon is negative. */
export type TwilightRule =
  | { kind: 'angle'; angle: number }
  | { kind: 'after_maghrib'; minutes: number; ramadan: boolean }
  | { kind: 'night_portion'; portion: number; high_latitude: HighLatitude; angle: number | null }

type Twilight = { raw: number; rule: TwilightRule }

const MINUTE_MS = 60_000
// The Umm al-Qura calendar's note on Isha: half an hour later in Ramadan, for the tarawih congregation.
const RAMADAN_ISHA_MIN = 120

export function fajr(
  day: SolarDay,
  { sunrise, nightBefore }: Daylight,
  config: PrayerConfig,
): Twilight {
  const angle = -methodOf(config).fajr_angle
  const longest = longestTwilight(config, angle, nightBefore)
  const byAngle = morningAt(day, angle)
  if (byAngle !== null && sunrise - byAngle <= longest.ms)
    return { raw: byAngle, rule: { kind: 'angle', angle } }
  return { raw: sunrise - longest.ms, rule: longest.rule }
}

export function isha(
  date: CalendarDate,
  day: SolarDay,
  { sunset, nightAfter }: Daylight,
  config: PrayerConfig,
): Twilight {
  const method = methodOf(config)
  if (method.isha_angle === null)
    return ishaByClock(intervalOf(date, config, method.isha_interval_min), sunset, nightAfter)
  const angle = -method.isha_angle
  const longest = longestTwilight(config, angle, nightAfter)
  const byAngle = eveningAt(day, angle)
  if (byAngle !== null && byAngle - sunset <= longest.ms)
    return { raw: byAngle, rule: { kind: 'angle', angle } }
  return { raw: sunset + longest.ms, rule: longest.rule }
}

type Interval = { minutes: number; ramadan: boolean }

function intervalOf(date: CalendarDate, config: PrayerConfig, usual: number): Interval {
  const ramadan = config.ramadan_isha === true && isRamadan(date, config.hijri_adjust)
  return { minutes: ramadan ? RAMADAN_ISHA_MIN : usual, ramadan }
}

/** Before the night's middle in any case: near the polar circle 90 minutes may outlast the night. */
function ishaByClock(interval: Interval, sunset: number, night: number): Twilight {
  const ms = interval.minutes * MINUTE_MS
  if (ms <= night / 2) return { raw: sunset + ms, rule: { kind: 'after_maghrib', ...interval } }
  const high_latitude = 'middle_of_the_night'
  const rule = { kind: 'night_portion', portion: 1 / 2, high_latitude, angle: null } as const
  return { raw: sunset + night / 2, rule }
}

// Fajr is measured by the night it ends and Isha by the one it begins, so that one day's Isha never
// passes the next day's Fajr. adhan takes the night after for both, and there it can.
function longestTwilight(config: PrayerConfig, angle: number, night: number) {
  const high_latitude = config.high_latitude ?? 'middle_of_the_night'
  const portion = twilightPortion(high_latitude, -angle)
  const rule = { kind: 'night_portion', portion, high_latitude, angle } as const
  return { ms: portion * night, rule }
}

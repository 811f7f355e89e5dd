import { CONVENTIONS, type Convention } from './conventions.ts'
import {
  byAngles,
  byInterval,
  type CustomAngles,
  type HighLatitude,
  type Method,
  type Rounding,
} from './method.ts'

/** The contract's integers: 0 MWL, 1 ISNA, 2 Egyptian, 3 Umm al-Qura, 4 Karachi. */
type MethodNumber = 0 | 1 | 2 | 3 | 4

export type PrayerConfig = {
  method: MethodNumber
  /** Counts instead of `method` when it is neither null nor absent. */
  convention?: Convention | 'custom' | null
  /** With convention `custom`. */
  custom_angles?: CustomAngles | null
  /** Asr when the shadow has grown by twice the height (Hanafi) instead of once. */
  asr_hanafi: boolean
  /** Minutes added to Fajr, Sunrise, Dhuhr, Asr, Maghrib, Isha, in that order; none when absent. */
  offsets_min?: readonly number[]
  /** `middle_of_the_night` when absent. */
  high_latitude?: HighLatitude
  /** When absent, as the method does: `ummalqura` for method 3, `up` for Singapore, mostly `nearest`. */
  rounding?: Rounding
  /** Umm al-Qura's Isha in Ramadan: 120 minutes after Maghrib instead of 90. */
  ramadan_isha?: boolean
  /** Days added to the tabular Hijri date, -2..2. */
  hijri_adjust?: number
}

// The angles of the five are those of the institutions' own pages, as adhan (batoulapps) keeps them too.
// Its clock times are not taken: it adds a minute to Dhuhr in four of these methods while Cairo's table
// prints bare transit, rounds to the nearest minute where Umm al-Qura rounds sunrise down and the rest up,
// takes the sun's declination for Asr at 0 h UT, and settles for one step of Newton's method where
// twilight is grazing.
const METHODS: Record<MethodNumber, Method> = {
  0: byAngles('Muslim World League', 18, 17),
  1: byAngles('ISNA (North America)', 15, 15),
  2: byAngles('Egyptian General Authority of Survey', 19.5, 17.5),
  3: { ...byInterval('Umm al-Qura', 18.5, 90), rounding: 'ummalqura' },
  4: byAngles('University of Islamic Sciences, Karachi', 18, 18),
}

export const METHOD_NUMBERS = [0, 1, 2, 3, 4] as const

export function methodOf({ method, convention, custom_angles }: PrayerConfig): Method {
  if (convention === 'custom' && custom_angles)
    return { ...byAngles('Own angles', 0, 0), ...custom_angles }
  return convention && convention !== 'custom' ? CONVENTIONS[convention] : METHODS[method]
}

export function roundingOf(config: PrayerConfig): Rounding {
  return config.rounding ?? methodOf(config).rounding
}

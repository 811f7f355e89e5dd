import type { Prayer } from './prayers.ts'

export type Rounding = 'nearest' | 'ummalqura' | 'up'

/** What stands in for a twilight that lasts too long or does not end. */
export type HighLatitude =
  | 'middle_of_the_night'
  | 'seventh_of_the_night'
  | 'twilight_angle'
  | 'nearest_day'
  | 'nearest_latitude'

/** Calendars that hold Fajr and Isha near an hour of the clock in summer, while twilight goes on all night. */
export type SummerCalendar = 'norway' | 'belgium'

/** Tables whose Fajr and Isha go with the day of the year. */
export type Timetable = 'london' | 'ireland'

export type Minutes = Partial<Record<Prayer, number>>

/** Angles in degrees below the horizon. `isha_angle` is null where Isha follows Maghrib by the clock. */
export type CustomAngles = {
  fajr_angle: number
  isha_angle: number | null
  /** Minutes after Maghrib; only with `isha_angle` null. */
  isha_interval_min: number
  /** Null where Maghrib is sunset. */
  maghrib_angle: number | null
}

export type Method = CustomAngles & {
  name: string
  rounding: Rounding
  /** Minutes that the convention itself adds, for instance Diyanet's temkin. */
  minutes: Minutes
  /** What it adds instead from a latitude on. */
  farther: { from: number; minutes: Minutes } | null
  /** Its own rule, which counts instead of the owner's; null where it has none. */
  high_latitude: HighLatitude | null
  /** Twilight is bounded by the Moonsighting Committee's table of seasons and latitudes. */
  seasonal: boolean
  /** The sun of a whole day is taken to be that of its 0 h UT. */
  held: boolean
  /** The north has rules of its own (northern-day.ts). */
  diyanet: boolean
  /** Isha's part of the night is longer at midsummer (russian-dusk.ts). */
  russian: boolean
  /** In nights that do not come to Fajr's angle, minutes by the clock stand in for both twilights. */
  white_nights: boolean
  /** Minutes that go with the day of the year count, and no angle (timetable-twilight.ts). */
  timetable: Timetable | null
  /** Twilight lasts as long as in Sarajevo (sarajevo-twilight.ts). */
  sarajevo: boolean
  /** Hours of the clock bound both twilights in summer (summer-calendar.ts). */
  summer: SummerCalendar | null
}

export const byAngles = (name: string, fajr_angle: number, isha_angle: number): Method => ({
  name,
  fajr_angle,
  isha_angle,
  isha_interval_min: 0,
  maghrib_angle: null,
  rounding: 'nearest',
  minutes: {},
  farther: null,
  high_latitude: null,
  seasonal: false,
  held: false,
  diyanet: false,
  russian: false,
  white_nights: false,
  timetable: null,
  sarajevo: false,
  summer: null,
})

export const byInterval = (
  name: string,
  fajr_angle: number,
  isha_interval_min: number,
): Method => ({ ...byAngles(name, fajr_angle, 0), isha_angle: null, isha_interval_min })

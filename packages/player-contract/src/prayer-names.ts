/** In the order of `offsets_min` and of the bits of `prayer_mask`. Without a schema, for pages. */
export const PRAYER_NAMES = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
export type PrayerName = (typeof PRAYER_NAMES)[number]

/** Conventions beyond the five numbers of `method`. */
export const CONVENTION_NAMES = [
  'diyanet',
  'moonsighting',
  'tehran',
  'singapore',
  'gulf',
  'kuwait',
  'qatar',
  'dubai',
  'jordan',
  'morocco',
  'france',
  'indonesia',
  'malaysia',
  'algeria',
  'tunisia',
  'bosnia',
  'oman',
  'kazakhstan',
  'uzbekistan',
  'kyrgyzstan',
  'maldives',
  'bangladesh',
  'azerbaijan',
  'bahrain',
  'mauritania',
  'belgium',
  'russia',
  'libya',
  'iraq',
  'tatarstan',
] as const

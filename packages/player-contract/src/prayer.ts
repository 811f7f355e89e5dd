import { z } from 'zod'
import { type PrayerName as Name, PRAYER_NAMES } from './prayer-names.ts'

export type PrayerName = Name
const PrayerName = z.enum(PRAYER_NAMES)

const ALL_SIX = 0b11_1111

/** Conventions beyond the five numbers of `method`. */
const CONVENTIONS = [
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
  'custom',
] as const

const ROUNDINGS = ['nearest', 'ummalqura', 'up'] as const

const Angle = z.number().min(5).max(25)

const CustomAngles = z
  .strictObject({
    fajr_angle: Angle.describe('Degrees below the horizon'),
    isha_angle: Angle.nullable().describe('null where Isha follows Maghrib by the clock'),
    isha_interval_min: z
      .int()
      .min(0)
      .max(180)
      .default(0)
      .describe('Minutes after Maghrib, with isha_angle null'),
    maghrib_angle: z
      .number()
      .min(1)
      .max(8)
      .nullable()
      .default(null)
      .describe('null where Maghrib is sunset'),
  })
  .superRefine(({ isha_angle, isha_interval_min, maghrib_angle }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (isha_angle === null && isha_interval_min === 0)
      refuse('isha_interval_min', 'is required with isha_angle null')
    if (isha_angle !== null && isha_interval_min > 0)
      refuse('isha_interval_min', 'goes with isha_angle null only')
    if (isha_angle !== null && maghrib_angle !== null && maghrib_angle >= isha_angle)
      refuse('maghrib_angle', 'must be less than isha_angle')
  })

const Volume = z.int().min(0).max(100)
const SoundPath = z.string().max(4096)

const ownSound = {
  path: SoundPath.nullable().describe('null: as adhan.path; empty: the built-in chime'),
  volume: Volume.nullable().describe('null: as adhan.volume; 0 keeps the current volume'),
}

/** Those that are called to. */
const CALLED = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
const forEachCalled = <T extends z.ZodType>(value: T) =>
  z.strictObject(
    Object.fromEntries(CALLED.map((prayer) => [prayer, value])) as Record<
      (typeof CALLED)[number],
      T
    >,
  )

const adhanFields = {
  enabled: z.boolean(),
  prayer_mask: z
    .int()
    .min(0)
    .max(ALL_SIX)
    .describe('Bit 0 is Fajr … bit 5 is Isha; bit 1 (Sunrise) is ignored'),
  volume: Volume.describe('0 keeps the current volume'),
  path: SoundPath.describe(
    'File on the card, or data: and the name of a sound kept in the box; empty for the built-in chime',
  ),
  dua_path: SoundPath.describe('Sounds after the adhan; empty for none'),
}

const reminderFields = {
  enabled: z.boolean(),
  minutes: z.int().min(1).max(120).describe('How long before the prayer'),
  prayer_mask: z.int().min(0).max(ALL_SIX).describe('As adhan.prayer_mask'),
  volume: Volume.describe('0 keeps the current volume'),
  path: SoundPath.describe('As adhan.path'),
}

const iqamaFields = {
  enabled: z.boolean(),
  minutes: z
    .array(z.int().min(0).max(120))
    .length(6)
    .describe('From the adhan to the iqama, in the order of offsets_min; 0 for none'),
  volume: Volume.describe('0 keeps the current volume'),
  path: SoundPath.nullable().describe('As adhan.path; null counts down in silence'),
}

const configFields = {
  lat: z.number().min(-90).max(90).nullable().describe('Degrees north; null until it is set'),
  lng: z.number().min(-180).max(180).nullable().describe('Degrees east; null until it is set'),
  method: z
    .literal([0, 1, 2, 3, 4])
    .describe('0 MWL, 1 ISNA, 2 Egyptian, 3 Umm al-Qura, 4 Karachi'),
  convention: z
    .enum(CONVENTIONS)
    .nullable()
    .describe('Counts instead of method; a body with method and without this sets it to null'),
  custom_angles: CustomAngles.nullable().describe('With convention custom'),
  asr_hanafi: z.boolean(),
  offsets_min: z
    .array(z.int().min(-120).max(120))
    .length(6)
    .describe('Minutes added to Fajr, Sunrise, Dhuhr, Asr, Maghrib, Isha'),
  high_latitude: z.enum([
    'middle_of_the_night',
    'seventh_of_the_night',
    'twilight_angle',
    'nearest_day',
    'nearest_latitude',
  ]),
  rounding: z
    .enum(['nearest', 'ummalqura'])
    .nullable()
    .describe('null rounds as the method does: ummalqura for method 3, up for Singapore'),
  ramadan_isha: z.boolean().describe('Umm al-Qura: Isha 120 minutes after Maghrib in Ramadan'),
  hijri_adjust: z.int().min(-2).max(2).describe('Days added to the tabular Hijri date'),
}

export const PrayerConfig = z.object({
  ...configFields,
  adhan: z.object({ ...adhanFields, prayers: forEachCalled(z.strictObject(ownSound)) }),
  reminder: z.object(reminderFields),
  iqama: z.object(iqamaFields),
})
export type PrayerConfig = z.infer<typeof PrayerConfig>

/** Whole or in part: what is left out stays as it is. */
export const PrayerConfigBody = z
  .strictObject({
    ...configFields,
    adhan: z
      .strictObject({
        ...adhanFields,
        prayers: forEachCalled(z.strictObject(ownSound).partial()).partial(),
      })
      .partial(),
    reminder: z.strictObject(reminderFields).partial(),
    iqama: z.strictObject(iqamaFields).partial(),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, {
    path: ['lat'],
    message: 'send at least one field to change',
  })
export type PrayerConfigBody = z.infer<typeof PrayerConfigBody>

const HijriDate = z.object({
  day: z.int(),
  month: z.int(),
  year: z.int(),
  month_name: z.string(),
  month_name_ar: z.string(),
})

const six = <T extends z.ZodType>(value: T) =>
  z.object({ fajr: value, sunrise: value, dhuhr: value, asr: value, maghrib: value, isha: value })

const LocalMinute = z.string().describe('HH:MM on the local clock')
const Times = six(LocalMinute)
const Epochs = six(z.int().describe('Unix seconds'))
const LocalDate = z.string().describe('YYYY-MM-DD on the local calendar')

const Unknown = z.object({
  valid: z.literal(false),
  reason: z.string().describe('What is missing: the location or the time'),
})

const PrayerToday = z.object({
  valid: z.literal(true),
  date: LocalDate,
  times: Times,
  epochs: Epochs,
  current: PrayerName.describe('The last of the six that has begun'),
  next: z.object({
    name: PrayerName,
    time: LocalMinute,
    epoch: z.int().describe('Unix seconds'),
    in_s: z.int().describe('Seconds until then'),
  }),
  iqama: z
    .object({
      prayer: PrayerName,
      time: LocalMinute,
      epoch: z.int().describe('Unix seconds'),
      in_s: z.int().describe('Seconds until then'),
    })
    .optional()
    .describe('Between a prayer’s adhan and its iqama'),
  hijri: HijriDate,
  qibla: z.number().describe('Degrees clockwise from true north'),
  config: PrayerConfig,
})

export const PrayerStatus = z.discriminatedUnion('valid', [
  PrayerToday,
  Unknown.extend({ config: PrayerConfig }),
])
export type PrayerStatus = z.infer<typeof PrayerStatus>

const Success = z.object({ success: z.literal(true) })
export const PrayerResult = z.discriminatedUnion('valid', [
  Success.extend(PrayerToday.shape),
  Success.extend(Unknown.shape).extend({ config: PrayerConfig }),
])

export const TestAdhanQuery = z.object({
  prayer: z.enum(CALLED).optional().describe('Whose adhan; the common one when left out'),
})

export const ExplainQuery = z.strictObject({
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be YYYY-MM-DD')
    .refine(isCalendarDate, 'is not a day of the calendar')
    .optional()
    .describe('Today when left out'),
})

export const MonthQuery = z.strictObject({
  year: z
    .string()
    .regex(/^(19|20|21)\d\d$/, 'must be a year from 1900 to 2199')
    .optional()
    .describe('This year when left out'),
  month: z
    .string()
    .regex(/^(0?[1-9]|1[0-2])$/, 'must be 1 to 12')
    .optional()
    .describe('This month when left out'),
})

const PrayerExplained = z.object({
  time: LocalMinute,
  epoch: z.int().describe('Unix seconds'),
  rule: z.looseObject({ kind: z.string() }),
  angle: z.number().nullable().describe('Altitude that was looked for, in degrees'),
  sun_altitude: z.number().describe('Where the sun stands at the raw moment, in degrees'),
  sun_declination: z.number(),
  raw_epoch: z.int().describe('Unix seconds before rounding and offset'),
  rounding: z.enum(['nearest', 'up', 'down']),
  rounded_by_s: z.number(),
  method_min: z.number().describe('Minutes that the convention itself adds'),
  offset_min: z.int(),
  text: z.string(),
})

const Method = z.object({
  name: z.string(),
  fajr_angle: z.number(),
  isha_angle: z.number().nullable().describe('null where Isha follows Maghrib by the clock'),
  isha_interval_min: z.number(),
  maghrib_angle: z.number().nullable().describe('null where Maghrib is sunset'),
  rounding: z.enum(ROUNDINGS),
  minutes: six(z.number()).partial().describe('What the convention itself adds'),
  seasonal: z.boolean().describe('Bounded by the table of the Moonsighting Committee'),
})

/** What there is to choose from: a number for `method`, or a name for `convention`. */
export const MethodList = z.object({
  methods: z.array(
    Method.extend({
      method: z.int().nullable().describe('null for what only has a name'),
      convention: z.string().nullable().describe('null for the five that have a number'),
    }),
  ),
})

export const Explanation = z.discriminatedUnion('valid', [
  z.object({
    valid: z.literal(true),
    date: LocalDate,
    method: Method,
    rounding: z.enum(ROUNDINGS),
    transit: z.int().describe('Unix seconds of the sun crossing the meridian'),
    equation_of_time_s: z.number(),
    basis: z.looseObject({ kind: z.string() }).describe('Whose sun the times are'),
    basis_text: z.string(),
    prayers: six(PrayerExplained),
  }),
  Unknown,
])

export const CitiesQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('A name, or the beginning of one, in Latin or Arabic letters; or a country'),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be 1 to 100')
    .optional()
    .describe('20 when left out'),
})

const City = z.object({
  name: z.string(),
  name_ar: z.string(),
  country: z.string().describe('ISO 3166 alpha-2'),
  country_name: z.string(),
  country_name_ar: z.string(),
  lat: z.number(),
  lng: z.number(),
  zone: z.string().describe('The name of the time zone'),
  timezone: z.string().describe('The rule to send to POST /settings/timezone'),
  method: configFields.method.describe('What is usual there, with convention'),
  convention: configFields.convention,
})

export const CityList = z.object({
  total: z.int().describe('How many match, of which the best are given'),
  cities: z.array(City),
})

export const MonthTable = z.discriminatedUnion('valid', [
  z.object({
    valid: z.literal(true),
    year: z.int(),
    month: z.int(),
    days: z.array(z.object({ date: LocalDate, hijri: HijriDate, times: Times, epochs: Epochs })),
  }),
  Unknown,
])

export type AdhanEvent = {
  /** `manual`: asked for by a person, a card or a schedule. */
  prayer: PrayerName | 'manual'
  /**
   * `chime`: the adhan file could not be played, so the built-in chime announces the prayer. `dua`: the
   * adhan was heard to its end and the dua follows.
   */
  phase: 'started' | 'chime' | 'dua' | 'finished' | 'stopped' | 'failed'
}

/** What else is announced around a prayer. */
export type AnnouncementEvent = {
  kind: 'reminder' | 'iqama'
  prayer: PrayerName
  /** `due` comes first, also where nothing sounds; `started` and an end follow where something does. */
  phase: 'due' | 'started' | 'finished' | 'stopped' | 'failed'
}

const SOUNDING = ['due', 'started', 'chime', 'dua']

export const isAdhanOver = ({ phase }: AdhanEvent | AnnouncementEvent) => !SOUNDING.includes(phase)

function isCalendarDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

import { z } from 'zod'
import { CONVENTION_NAMES } from './prayer-names.ts'

const ALL_SIX = 0b11_1111

const CONVENTIONS = [...CONVENTION_NAMES, 'custom'] as const

export const ROUNDINGS = ['nearest', 'ummalqura', 'up'] as const

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
export const CALLED = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
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

export const configFields = {
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
    .describe('null rounds as the method does: ummalqura for method 3, see GET /prayer/methods'),
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

import { z } from 'zod'
import { Epochs, HijriDate, LocalDate, LocalMinute, six, Times, Unknown } from './prayer.ts'
import { configFields, ROUNDINGS } from './prayer-config.ts'

export const ExplainQuery = z.strictObject({
  date: z
    .string()
    .regex(/^(19|20|21)\d\d-\d{2}-\d{2}$/, 'must be YYYY-MM-DD, in a year from 1900 to 2199')
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
  asr_hanafi: configFields.asr_hanafi.describe('Whether the later Asr is usual there'),
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

function isCalendarDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

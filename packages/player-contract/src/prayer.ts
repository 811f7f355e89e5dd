import { z } from 'zod'
import { CALLED, PrayerConfig } from './prayer-config.ts'
import { type PrayerName as Name, PRAYER_NAMES } from './prayer-names.ts'

export type PrayerName = Name
const PrayerName = z.enum(PRAYER_NAMES)

export const HijriDate = z.object({
  day: z.int(),
  month: z.int(),
  year: z.int(),
  month_name: z.string(),
  month_name_ar: z.string(),
})

export const six = <T extends z.ZodType>(value: T) =>
  z.object({ fajr: value, sunrise: value, dhuhr: value, asr: value, maghrib: value, isha: value })

export const LocalMinute = z.string().describe('HH:MM on the local clock')
export const Times = six(LocalMinute)
export const Epochs = six(z.int().describe('Unix seconds'))
export const LocalDate = z.string().describe('YYYY-MM-DD on the local calendar')

export const Unknown = z.object({
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

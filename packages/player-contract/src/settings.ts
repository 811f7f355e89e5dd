import { z } from 'zod'

export const CARD_REMOVAL = ['continue', 'pause', 'stop'] as const
export type CardRemoval = (typeof CARD_REMOVAL)[number]

const LANGUAGES = ['en', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

export const AutoResumeBody = z.strictObject({ enabled: z.boolean() })
export const MaxVolumeBody = z.strictObject({ max_volume: z.int().min(0).max(100) })
export const BrightnessBody = z.strictObject({ brightness: z.int().min(0).max(255) })
export const TimeFormatBody = z.strictObject({ time_format_24h: z.boolean() })
export const AutoOffBody = z.strictObject({
  auto_off_minutes: z.int().min(0).max(240).describe('Idle minutes until deep sleep; 0 disables'),
})
export const CardRemovalBody = z.strictObject({
  policy: z.enum(CARD_REMOVAL).describe('When the NFC card is lifted from the reader'),
})
export const AudioOutputBody = z.strictObject({
  audio_output: z
    .string()
    .min(1)
    .max(200)
    .describe('`auto`, or the id of an output that GET /system lists'),
})
export const FadesBody = z
  .strictObject({
    fade_up_s: z.number().min(0).max(30).optional().describe('The adhan and schedules rise'),
    fade_down_s: z.number().min(0).max(5).optional().describe('What makes room for them falls'),
  })
  .refine((body) => Object.keys(body).length > 0, {
    path: ['fade_up_s'],
    message: 'send fade_up_s, fade_down_s or both',
  })
export const LanguageBody = z.strictObject({ language: z.enum(LANGUAGES) })

export const TimezoneBody = z.strictObject({
  timezone: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
    .describe('POSIX rule string such as EET-2EEST,M4.5.5/0,M10.5.4/24'),
})

// Before 2020 lies no time this box can have been made in; 2100 is where its calendar tables end.
export const TimeBody = z.strictObject({
  epoch: z.int().min(1_577_836_800).max(4_102_444_799).describe('Unix seconds'),
})

/** One label of a host name (RFC 1123): it becomes `<hostname>.local`. */
export const HostnameBody = z.strictObject({
  hostname: z
    .string()
    .max(63)
    .regex(
      /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i,
      'must be letters, digits and inner hyphens, at most 63',
    ),
})

const MOST_SSID_BYTES = 32
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/

export const WifiBody = z.strictObject({
  ssid: z
    .string()
    .min(1)
    .refine((text) => new TextEncoder().encode(text).length <= MOST_SSID_BYTES, {
      message: `must be at most ${MOST_SSID_BYTES} bytes`,
    })
    .refine((text) => !CONTROL.test(text), { message: 'must hold no control character' })
    // It would be taken for an option of the command that joins the network.
    .refine((text) => !text.startsWith('-'), { message: 'must not begin with a hyphen' }),
  password: z
    .string()
    .regex(
      /^([\x20-\x7e]{8,63})?$/,
      'must be 8 to 63 printable ASCII characters, or empty for an open network',
    ),
})

export const SettingsStatus = z.object({
  ssid: z.string().describe('The network in use, else the one joined last'),
  wifi_connected: z.boolean(),
  ip: z.string(),
  hostname: z.string(),
  brightness: z.int(),
  timezone: z.string(),
  time_format_24h: z.boolean(),
  auto_resume: z.boolean(),
  auto_off_minutes: z.int(),
  card_removal: z.enum(CARD_REMOVAL),
  max_volume: z.int(),
  audio_output: z.string().describe('Where sound goes: `auto`, or the id of an output'),
  fade_up_s: z.number().describe('Seconds in which the adhan and schedules rise; 0: at once'),
  fade_down_s: z.number().describe('Seconds in which what makes room for them falls'),
  language: z.enum(LANGUAGES),
  time: z.int().describe('Unix seconds by the clock of the box'),
  time_synced: z.boolean().describe('Whether anything vouches for the time'),
  time_source: z.enum(['none', 'rtc', 'sntp', 'manual']),
  rtc_temperature: z
    .number()
    .optional()
    .describe('Degrees Celsius; only when a real-time clock chip that measures it is fitted'),
})
export type SettingsStatus = z.infer<typeof SettingsStatus>

export const SettingsResult = SettingsStatus.extend({ success: z.literal(true) })

export const TimeResult = SettingsResult.extend({
  system_clock_set: z
    .boolean()
    .describe('False: the service may not set the clock of this machine and keeps the difference'),
  rtc_set: z.boolean().describe('False without a clock chip, or when it refused'),
})

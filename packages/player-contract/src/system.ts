import { z } from 'zod'

export const BootFailure = z.object({
  component: z.string().describe('What did not come up: audio, card, tls …'),
  error: z.string().describe('Why, and what the box does instead'),
})
export type BootFailure = z.infer<typeof BootFailure>

export const SystemStatus = z.object({
  version: z.string(),
  uptime: z.int().describe('Seconds since the service started'),
  free_heap: z
    .int()
    .describe(
      'Bytes of memory the service can still take: what the machine, or the limit it runs under, has left. Not what is free in a heap of fixed size, which a Linux process does not have',
    ),
  nvs: z
    .object({
      used_entries: z.int(),
      free_entries: z.int().describe('As many as the disk still has room for'),
      total_entries: z.int().describe('Both together'),
      entry_bytes: z.int().describe('Size of an entry'),
    })
    .describe(
      'The state store. It is a SQLite file, so its entries are the pages of that file, not keys of a flash partition',
    ),
  boot_failures: z.array(BootFailure),
  audio: z.object({
    engine: z.enum(['embedded', 'mpv']),
    sink: z.string().describe('Where sound goes; `null` means that there is no sound device'),
    outputs: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .describe('Where it can go: ids for POST /settings/audio-output'),
  }),
  board: z.string().describe('Which adapter reads battery, clock chip and backlight'),
  card_present: z.boolean(),
  reader: z
    .object({
      adapter: z.enum(['pn532', 'pcsc', 'sim', 'none']),
      present: z.boolean().describe('False while it is unplugged or does not answer'),
      name: z.string(),
    })
    .describe('The NFC reader'),
  screen: z.string().describe('The panel that is drawn on; empty without one'),
  time_source: z.enum(['none', 'rtc', 'sntp', 'manual']),
  soc: z
    .enum(['off', 'connected', 'away'])
    .describe('Whether the box is a device of a security platform, and reaches it'),
})
export type SystemStatus = z.infer<typeof SystemStatus>

export const SleepResult = z.object({
  success: z.literal(true),
  wakes_at: z
    .int()
    .nullable()
    .describe('Unix seconds of what the box wakes for; null when only its button can wake it'),
})
export type SleepResult = z.infer<typeof SleepResult>

export const ResetResult = z.object({ success: z.literal(true) })

import { z } from 'zod'

export const BootFailure = z.object({
  component: z.string().describe('What did not come up: audio, card, tls …'),
  error: z.string().describe('Why, and what the box does instead'),
})
export type BootFailure = z.infer<typeof BootFailure>

export const SystemStatus = z.object({
  version: z.string(),
  uptime: z.int().describe('Seconds since the service started'),
  free_heap: z.int().describe('Bytes of memory that are still available'),
  nvs: z
    .object({ used_entries: z.int(), free_entries: z.int(), total_entries: z.int() })
    .describe('Pages of the state store: in use, still free on its disk, and both together'),
  boot_failures: z.array(BootFailure),
  audio: z.object({
    engine: z.enum(['embedded', 'mpv']),
    sink: z.string().describe('Where sound goes; `null` means that there is no sound device'),
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

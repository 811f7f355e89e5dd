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
})
export type SystemStatus = z.infer<typeof SystemStatus>

import { z } from 'zod'
import { StreamUrl } from './playback.ts'
import { shownName } from './shown-name.ts'

const StationName = shownName(200)

export const StationBody = z.strictObject({ name: StationName, url: StreamUrl })
export type StationBody = z.infer<typeof StationBody>

export const StationPatch = z
  .strictObject({ name: StationName.optional(), url: StreamUrl.optional() })
  .refine(({ name, url }) => name !== undefined || url !== undefined, {
    path: ['name'],
    message: 'send name, url or both',
  })
export type StationPatch = z.infer<typeof StationPatch>

export const Station = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  created_at: z.int().describe('Unix seconds'),
})
export type Station = z.infer<typeof Station>

export const StationList = z.object({ stations: z.array(Station) })
export const StationResult = Station.extend({ success: z.literal(true) })

export const ImportBody = z.strictObject({
  text: z.string().min(1).max(15_000).describe('An M3U, PLS or OPML file'),
})
export const ImportResult = z.object({
  success: z.literal(true),
  added: z.array(Station),
  skipped: z.array(z.object({ url: z.string(), reason: z.string() })),
})

export const StationCheckBody = z.strictObject({ url: StreamUrl })
export const StationCheck = z.object({
  success: z.literal(true),
  playable: z.boolean(),
  content_type: z.string().describe('Empty when the station does not say, or there is none'),
  name: z.string().describe('What the station calls itself; empty when it does not say'),
  bitrate: z.int().describe('Kilobits a second; 0 when it does not say'),
  reason: z.string().describe('Why it cannot be played; empty when it can'),
})
export type StationCheck = z.infer<typeof StationCheck>

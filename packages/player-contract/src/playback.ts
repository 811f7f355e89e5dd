import { z } from 'zod'
import { ModeStatus } from './mode.ts'
import { PRAYER_NAMES } from './prayer-names.ts'
import { streamUrlProblem } from './stream-url.ts'

/** A stream address that passes the scheme, host and control-character checks. */
export const StreamUrl = z
  .string()
  .min(1)
  .max(2048)
  .superRefine((text, context) => {
    const problem = streamUrlProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

// One object with a refinement, not a union: a union's failure cannot say which field is wrong.
export const PlayBody = z
  .strictObject({
    path: z.string().min(1).max(4096).optional().describe('File on the card, relative to it'),
    url: StreamUrl.optional().describe('Stream to play instead'),
  })
  .refine((body) => (body.path === undefined) !== (body.url === undefined), {
    path: ['path'],
    message: 'send exactly one of path or url',
  })
export type PlayBody = z.infer<typeof PlayBody>

export const SeekBody = z
  .strictObject({
    position: z.number().min(0).optional().describe('Milliseconds'),
    verse: z.int().min(1).max(286).optional().describe('The beginning of a verse instead'),
  })
  .refine((body) => (body.position === undefined) !== (body.verse === undefined), {
    path: ['position'],
    message: 'send exactly one of position or verse',
  })

export const SpeedBody = z.strictObject({
  speed: z.int().min(50).max(125).describe('Percent; the pitch stays as it is'),
})
export const VolumeBody = z.strictObject({ volume: z.int().min(0).max(100) })

export const PlaybackStatus = z.object({
  state: z.enum(['playing', 'paused', 'buffering', 'stopped']),
  mode: z.enum(['file', 'stream', 'idle']),
  position: z.int().describe('Milliseconds'),
  duration: z.int().describe('Milliseconds; 0 for live streams'),
  volume: z.int(),
  underrun_count: z.int(),
  track: z.string().describe('Path of the file, or address of the stream'),
  reciter: z.string(),
  surah_number: z.int(),
  hasResumeState: z.boolean(),
  verse: z
    .int()
    .optional()
    .describe('The verse that is heard, or was just heard; where it is known'),
  verse_sure: z.boolean().optional().describe('Whether that is sure'),
  speed: z.int().optional().describe('Percent; not there when it is 100'),
  ...ModeStatus.shape,
  station: z.string().optional().describe('Name of the saved station that plays'),
  stream_title: z.string().optional().describe('What the station says it plays'),
  adhan: z
    .enum([...PRAYER_NAMES, 'manual'])
    .optional()
    .describe('While the adhan sounds: the prayer it calls to, or manual when it was asked for'),
  announcement: z
    .enum(['adhan', 'dua', 'reminder', 'iqama'])
    .optional()
    .describe('What sounds over everything else, if something does'),
  error: z.string().optional().describe('Why playback stopped by itself'),
})
export type PlaybackStatus = z.infer<typeof PlaybackStatus>

const Success = z.object({ success: z.literal(true) })
export const PlaybackResult = Success.extend(PlaybackStatus.shape)
export const VolumeResult = Success.extend({ volume: z.int() })

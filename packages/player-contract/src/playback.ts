import { z } from 'zod'
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

export const SeekBody = z.strictObject({ position: z.number().min(0).describe('Milliseconds') })
export const VolumeBody = z.strictObject({ volume: z.int().min(0).max(100) })

const SurahNumber = z.int().min(1).max(114)

const ADVANCE_MODES = ['off', 'continuous', 'repeat_one', 'hifz_repeat', 'hifz_ab'] as const

export const ModeBody = z
  .strictObject({
    mode: z.enum(ADVANCE_MODES),
    repeat: z
      .int()
      .min(0)
      .max(1000)
      .optional()
      .describe('Hifz modes: how often; 0 is endless (hifz_repeat only, and its default)'),
    pause_s: z.int().min(0).max(600).optional().describe('Seconds of silence between repetitions'),
    ab: z
      .strictObject({ from: SurahNumber, to: SurahNumber })
      .optional()
      .describe('hifz_ab only: the first and the last surah of the range'),
  })
  .superRefine(({ mode, repeat, ab }, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    if (mode !== 'hifz_ab') {
      if (ab) refuse(['ab'], 'is for hifz_ab only')
      return
    }
    if (!ab) refuse(['ab'], 'is required for hifz_ab')
    else if (ab.from > ab.to) refuse(['ab', 'from'], 'must not come after to')
    if (repeat === 0) refuse(['repeat'], 'can be 0 (endless) for hifz_repeat only')
  })
export type ModeBody = z.infer<typeof ModeBody>

const HifzStatus = z.object({
  repeat_done: z.int(),
  repeat_target: z.int(),
  pause_s: z.int(),
  waiting: z.boolean().describe('In the silence between two repetitions'),
  gap_ms: z.int().optional().describe('While waiting: what is left of the silence'),
  ab_start: z.int().optional(),
  ab_end: z.int().optional(),
})

const ModeStatus = z.object({
  advance_mode: z.enum(ADVANCE_MODES),
  hifz: HifzStatus.optional(),
})

/** `mode` is spelled as in the request, `advance_mode` as in the status: both name the same. */
export const ModeReport = ModeStatus.extend({ mode: z.enum(ADVANCE_MODES) })
export type ModeReport = z.infer<typeof ModeReport>

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

import { z } from 'zod'
import { Target } from './target.ts'

const PLAYABLE = ['surah', 'stream', 'path', 'favorite', 'juz', 'hizb']

/** What is to play after the current one: a target that plays something. */
export const QueueBody = Target.refine(({ type }) => PLAYABLE.includes(type), {
  path: ['type'],
  message: `must be one of ${PLAYABLE.join(', ')}`,
}).refine(({ mode }) => mode === undefined, {
  path: ['mode'],
  message: 'cannot be queued: set it with POST /playback/mode',
})

export const QueueEntry = z.object({
  id: z.int(),
  kind: z.enum(['file', 'stream']),
  track: z.string().describe('Path of the file, or address of the stream'),
  reciter: z.string(),
  surah_number: z.int(),
})
export type QueueEntry = z.infer<typeof QueueEntry>

export const QueueList = z.object({ queue: z.array(QueueEntry).describe('The next one first') })

export const QueueResult = QueueList.extend({
  success: z.literal(true),
  added: z.int().describe('How many were added, what began at once among them'),
  started: z.boolean().describe('Nothing played, so the first began at once'),
  note: z.string().optional().describe('What plays in place of what was asked for'),
})
export const QueueCleared = QueueList.extend({ success: z.literal(true) })

export const SleepTimerBody = z.strictObject({
  minutes: z.int().min(1).max(720).describe('From now until silence'),
  fade_s: z
    .int()
    .min(0)
    .max(300)
    .optional()
    .describe('How long before the end the sound begins to fall; 30 when left out'),
})
export type SleepTimerBody = z.infer<typeof SleepTimerBody>

export const SleepTimerStatus = z.object({
  active: z.boolean(),
  in_s: z.int().describe('Seconds until silence; 0 when it is not set'),
  fade_s: z.int(),
})
export type SleepTimerStatus = z.infer<typeof SleepTimerStatus>
export const SleepTimerResult = SleepTimerStatus.extend({ success: z.literal(true) })

const Verse = z.object({ surah: z.int(), ayah: z.int() })
const Part = z.object({
  number: z.int(),
  from: Verse,
  to: Verse,
  surahs: z.array(z.int()).describe('The surahs it touches, which play whole'),
})
export const PartList = z.object({ juz: z.array(Part), hizb: z.array(Part), note: z.string() })

import { z } from 'zod'

const SurahNumber = z.int().min(1).max(114)

const ADVANCE_MODES = [
  'off',
  'continuous',
  'repeat_one',
  'hifz_repeat',
  'hifz_ab',
  'hifz_verses',
  'loop',
] as const

const DRILL_METHODS = ['each', 'stack'] as const

const VerseNumber = z.int().min(1).max(286)
/** A loop that is shorter is a noise. */
export const SHORTEST_LOOP_MS = 500

export const ModeBody = z
  .strictObject({
    mode: z.enum(ADVANCE_MODES),
    repeat: z
      .int()
      .min(0)
      .max(1000)
      .optional()
      .describe(
        'Hifz modes: how often; 0 is endless (hifz_repeat, whose default it is, and hifz_verses of one verse); hifz_verses: of each verse, 5 when not sent',
      ),
    pause_s: z
      .int()
      .min(0)
      .max(600)
      .optional()
      .describe(
        'Seconds of silence between repetitions; hifz_verses: before the range begins again, 3 when not sent',
      ),
    ab: z
      .strictObject({ from: SurahNumber, to: SurahNumber })
      .optional()
      .describe('hifz_ab only: the first and the last surah of the range'),
    verses: z
      .strictObject({ from: VerseNumber, to: VerseNumber })
      .optional()
      .describe('hifz_verses only: the first and the last verse of the surah that plays'),
    method: z
      .enum(DRILL_METHODS)
      .optional()
      .describe(
        'hifz_verses: each verse by itself, or stacked: 1, 2, 1–2 linked, 3, 1–3 linked …; each when not sent',
      ),
    link: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('hifz_verses, stack: how often verses are heard linked; 3 when not sent'),
    passes: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('hifz_verses: how often all of it is done; 1 when not sent'),
    gap_percent: z
      .int()
      .min(0)
      .max(300)
      .optional()
      .describe(
        'hifz_verses: the learner’s turn, as a share of what was just heard; 100 when not sent',
      ),
    unsure: z
      .boolean()
      .optional()
      .describe('hifz_verses: also verses that are not sure, with half a second around them'),
    loop: z
      .strictObject({ from: z.number().min(0), to: z.number().min(0) })
      .optional()
      .describe('loop only: milliseconds of the file that plays'),
  })
  .superRefine((body, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const { mode, repeat, ab, verses, loop } = body
    for (const [field, owner] of Object.entries(FIELD_OF_MODE)) {
      if (mode === owner) continue
      if (body[field as keyof typeof FIELD_OF_MODE] !== undefined)
        refuse([field], `is for ${owner} only`)
    }
    if (mode === 'hifz_ab') {
      if (!ab) refuse(['ab'], 'is required for hifz_ab')
      else if (ab.from > ab.to) refuse(['ab', 'from'], 'must not come after to')
      if (repeat === 0) refuse(['repeat'], 'can be 0 (endless) for hifz_repeat only')
    }
    if (mode === 'hifz_verses') {
      if (!verses) refuse(['verses'], 'is required for hifz_verses')
      else if (verses.from > verses.to) refuse(['verses', 'from'], 'must not come after to')
      else if (repeat === 0 && verses.from !== verses.to)
        refuse(['repeat'], 'can be 0 (endless) for a single verse only')
      if (body.link !== undefined && body.method !== 'stack')
        refuse(['link'], 'is for the method stack only')
    }
    if (mode === 'loop') {
      if (!loop) refuse(['loop'], 'is required for loop')
      else if (loop.to - loop.from < SHORTEST_LOOP_MS)
        refuse(['loop', 'to'], `must be at least ${SHORTEST_LOOP_MS} ms after from`)
    }
  })
export type ModeBody = z.infer<typeof ModeBody>

const FIELD_OF_MODE = {
  ab: 'hifz_ab',
  verses: 'hifz_verses',
  method: 'hifz_verses',
  link: 'hifz_verses',
  passes: 'hifz_verses',
  gap_percent: 'hifz_verses',
  unsure: 'hifz_verses',
  loop: 'loop',
} as const

const HifzStatus = z.object({
  repeat_done: z.int().describe('hifz_verses: of the round that is on'),
  repeat_target: z.int(),
  pause_s: z.int(),
  waiting: z.boolean().describe('In the silence between two repetitions: the learner’s turn'),
  gap_ms: z.int().optional().describe('While waiting: what is left of the silence'),
  ab_start: z.int().optional(),
  ab_end: z.int().optional(),
  method: z.enum(DRILL_METHODS).optional(),
  repeat: z.int().optional().describe('hifz_verses: how often each verse is heard by itself'),
  verse_from: z.int().optional(),
  verse_to: z.int().optional(),
  link: z.int().optional(),
  passes: z.int().optional(),
  gap_percent: z.int().optional(),
  unsure: z.boolean().optional(),
  verse: z.int().optional().describe('hifz_verses: which is heard, or was just heard'),
  round: z
    .object({ from: z.int(), to: z.int() })
    .optional()
    .describe('hifz_verses: the verses that are heard in one go now'),
  step: z.int().optional().describe('hifz_verses: which round is on, from 1; 0 before the first'),
  steps: z.int().optional().describe('hifz_verses: how many rounds there are; 0 is endless'),
  problem: z.string().optional().describe('hifz_verses: why what plays is heard whole instead'),
})

export const ModeStatus = z.object({
  advance_mode: z.enum(ADVANCE_MODES),
  hifz: HifzStatus.optional(),
  loop: z
    .object({ from: z.number(), to: z.number() })
    .optional()
    .describe('Mode loop: milliseconds'),
})

/** `mode` is spelled as in the request, `advance_mode` as in the status: both name the same. */
export const ModeReport = ModeStatus.extend({ mode: z.enum(ADVANCE_MODES) })
export type ModeReport = z.infer<typeof ModeReport>

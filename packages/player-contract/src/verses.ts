import { z } from 'zod'
import { SURAHS } from './surahs.ts'

/** How many verses a surah has in the Kufan count, that of most printed copies. */
export const verseCount = (surah: number): number => SURAHS[surah - 1]?.ayahs ?? 0

export type VerseRange = { from: number; to: number }

/** What is wrong with a range of verses, by the field to blame; undefined when it is one. */
export function rangeProblem(
  surah: number,
  { from, to }: VerseRange,
  count = verseCount(surah),
): { field: 'from' | 'to'; message: string } | undefined {
  if (to > count) return { field: 'to', message: `surah ${surah} has ${count} verses` }
  if (from > to) return { field: 'from', message: 'must not come after to' }
  return undefined
}

/** A verse as it lies in a recording: a part of the surah’s file, or a file of its own. */
export type KnownVerse = {
  verse: number
  /** Relative to the card. */
  path: string
  start_ms: number
  end_ms: number
  /** Not sure: played only when the owner says so, with half a second around it. */
  sure: boolean
  /** How much worse the best other place would be, in nats; 0 when nothing speaks for this one. */
  margin: number
}

/** The verses of one surah by one reciter, in order and without a hole, or why they are not known. */
export type VersesOf = (reciter: string, surah: number) => Promise<SurahVerses>
export type SurahVerses = { verses: KnownVerse[] } | { verses: null; reason: string }

const SurahNumber = z.int().min(1).max(114)

export const VERSE_SOURCES = ['files', 'timing', 'found', 'none'] as const

const Verse = z.object({
  verse: z.int().min(1),
  start: z.int().describe('Milliseconds from the beginning of its file'),
  end: z.int().describe('Milliseconds from the beginning of its file'),
  sure: z.boolean().describe('Otherwise it should be heard once before it is used'),
  margin: z.number().describe('How much worse the best other place would be; 2 and more is sure'),
  pinned: z.boolean().describe('Its start was marked by ear'),
  path: z.string().describe('The file it lies in, relative to the card'),
})

export const VersesReport = z.object({
  reciter: z.string(),
  surah: SurahNumber,
  source: z
    .enum(VERSE_SOURCES)
    .describe(
      'files: a file for each verse; timing: a timing file on the card; found: by pauses and expected lengths; none: not known',
    ),
  reason: z.string().describe('Why they are not known, or what was not believed; empty otherwise'),
  searching: z.boolean().describe('They are being looked for; the event `verses` tells the end'),
  verses: z.array(Verse).describe('In order; empty when they are not known'),
})
export type VersesReport = z.infer<typeof VersesReport>

export const VersesQuery = z.strictObject({
  reciter: z.string().min(1).max(400),
  surah: z.string().regex(/^([1-9]\d?|10\d|11[0-4])$/, 'must be 1 to 114'),
})

export const PinBody = z.strictObject({
  reciter: z.string().min(1).max(400),
  surah: SurahNumber,
  verse: z.int().min(1).max(286),
  start: z.int().min(0).describe('Milliseconds: where this verse begins in the surah’s file'),
})
export type PinBody = z.infer<typeof PinBody>

export const VersesReply = VersesReport.extend({ success: z.literal(true) })

/** How far the search for the verses of a recording has come. */
export type VersesEvent = {
  reciter: string
  surah: number
  state: 'searching' | 'found' | 'none'
  percent: number
}

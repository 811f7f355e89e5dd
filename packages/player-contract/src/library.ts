import { z } from 'zod'

export const Reciter = z.object({
  name: z.string().describe('The folder’s name, told apart from its namesakes'),
  name_ar: z.string().optional().describe('In Arabic, where it is known'),
  path: z.string().describe('Folder relative to the card; `.` for the card itself'),
  surah_count: z.int().min(1).max(114),
  complete: z.boolean().describe('All 114 surahs are there'),
})
export type Reciter = z.infer<typeof Reciter>

export const ReciterList = z.object({ reciters: z.array(Reciter) })

const ReciterSurah = z.object({
  number: z.int().min(1).max(114),
  name: z.string(),
  name_ar: z.string(),
  ayahs: z.int(),
  revelation: z.enum(['meccan', 'medinan']),
  available: z.boolean(),
  path: z.string().nullable().describe('File relative to the card; null when it is not there'),
  by_verse: z
    .boolean()
    .optional()
    .describe('Every verse is a file of its own; `path` is the first of them'),
  duration: z.int().optional().describe('Milliseconds, once known'),
})

export const ReciterSurahs = z.object({
  reciter: z.string(),
  count: z.int().describe('How many of the 114 are there'),
  available: z.array(z.boolean()).length(114).describe('Index 0 is surah 1'),
  surahs: z.array(ReciterSurah).length(114),
})
export type ReciterSurahs = z.infer<typeof ReciterSurahs>

export const LibraryStatus = z.object({
  card_present: z.boolean(),
  scanning: z.boolean(),
  last_scan_at: z.int().nullable().describe('Unix seconds; null before the first'),
  scan_ms: z.int().nullable().describe('How long the last scan took'),
  reciter_count: z.int(),
  file_count: z.int().describe('Surahs that can be played, over all reciters'),
  not_decoded: z
    .object({
      files: z.int().min(1),
      kinds: z.array(z.string()).describe('Their endings, for example `m4a`'),
    })
    .optional()
    .describe('Sound on the card that the engine does not decode, where there is some'),
  error: z.string().optional().describe('What the last scan could not read'),
})
export type LibraryStatus = z.infer<typeof LibraryStatus>

export const RescanResult = LibraryStatus.extend({ success: z.literal(true) })
export const SurahsQuery = z.object({ reciter: z.string().max(400) })

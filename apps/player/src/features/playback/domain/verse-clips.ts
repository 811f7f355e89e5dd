import {
  type KnownVerse,
  rangeProblem,
  type SurahVerses,
  type VerseRange,
} from '@manara/player-contract/verses'
import type { Drill } from './drill.ts'
import type { FileTrack, Track } from './track.ts'

/** The verses of the recording that a track belongs to, as far as they are known. */
export type VerseBook = (track: FileTrack) => SurahVerses

export const NO_BOOK: VerseBook = () => ({ verses: null, reason: 'nobody has looked for them' })

/** An unsure verse is heard with this much around it rather than cut. */
const AROUND_UNSURE_MS = 500

export type Unfit = { field: 'mode' | 'verses' | 'verses.from' | 'verses.to'; message: string }

/** Why this track cannot be drilled, by the field to blame; undefined when it can. */
export function unfit(drill: Drill, track: Track, book: VerseBook): Unfit | undefined {
  if (track.kind === 'stream') return { field: 'mode', message: 'a live stream has no verses' }
  const surah = track.surah_number
  if (surah === 0) return { field: 'mode', message: 'this file is no surah' }
  const known = book(track)
  const range = { from: drill.verse_from, to: drill.verse_to }
  const problem = rangeProblem(surah, range, known.verses?.length)
  if (problem) return { field: `verses.${problem.field}`, message: problem.message }
  if (!known.verses) return { field: 'mode', message: notKnown(known.reason) }
  const unsure = drill.unsure ? [] : between(known.verses, range).filter(({ sure }) => !sure)
  if (unsure.length === 0) return undefined
  const names = unsure.map(({ verse }) => verse).join(', ')
  return {
    field: 'verses',
    message: `not sure where these begin or end: ${names}; mark them by ear, or send unsure: true to hear them with half a second around`,
  }
}

export const notKnown = (reason: string) =>
  `the verses of this recording are not known${reason ? `: ${reason}` : ''}`

const between = (verses: KnownVerse[], { from, to }: VerseRange) =>
  verses.filter(({ verse }) => verse >= from && verse <= to)

/**
 * The verses of a round from `first` on, as far as they lie in one file: those of the next file are
 * another track. Undefined when there are none.
 */
export function clipOf(
  track: FileTrack,
  verses: KnownVerse[],
  round: VerseRange,
  first = round.from,
): FileTrack | undefined {
  const wanted = between(verses, { from: first, to: round.to })
  const [head] = wanted
  const apart = wanted.findIndex(({ path }) => path !== head?.path)
  const tail = wanted.at(apart < 0 ? -1 : apart - 1)
  if (!head || !tail) return undefined
  const { reciter, surah_number } = track
  const whole = { kind: 'file' as const, path: head.path, reciter, surah_number }
  const range = { from: head.verse, to: tail.verse }
  if (hasOwnFile(head, verses)) return { ...whole, verses: range }
  const after = tail.sure || tail.verse !== round.to ? 0 : AROUND_UNSURE_MS
  const from_ms = head.verse === round.from ? aroundStart(head) : head.start_ms
  return { ...whole, clip: { from_ms, to_ms: tail.end_ms + after }, verses: range }
}

/** Where to begin hearing it. */
export const aroundStart = ({ start_ms, sure }: KnownVerse): number =>
  sure ? start_ms : Math.max(0, start_ms - AROUND_UNSURE_MS)

/** Such a file is played to its end, wherever that is. */
const hasOwnFile = ({ path }: KnownVerse, verses: KnownVerse[]) =>
  verses.filter((other) => other.path === path).length === 1

/** Of a surah whose verses are files, the first of them, and the one after a track that is one. */
export function fileOfVerse(
  track: FileTrack,
  book: VerseBook,
  which: 'first' | 'next',
): FileTrack | undefined {
  const verses = book(track).verses ?? []
  const present = verses.find(({ path }) => path === track.path)
  if (!present || !hasOwnFile(present, verses)) return undefined
  const wanted = which === 'first' ? 1 : present.verse + 1
  const found = verses.find(({ verse }) => verse === wanted)
  const { kind, reciter, surah_number } = track
  return found && { kind, path: found.path, reciter, surah_number }
}

/** How long the verses of a round are, in the time of their file. */
export const lengthOf = (verses: KnownVerse[], round: VerseRange): number =>
  between(verses, round).reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0)

/** The verse at a place of a track; undefined before the first, and in a file without verses. */
export function verseAt(
  track: FileTrack,
  verses: KnownVerse[],
  position_ms: number,
): KnownVerse | undefined {
  const here = verses.filter(({ path }) => path === track.path)
  const at = here.findLast(({ start_ms }) => start_ms <= position_ms)
  // A little before its first verse, where that is not sure.
  return at && track.verses && at.verse < track.verses.from
    ? here.find(({ verse }) => verse === track.verses?.from)
    : at
}

/** What is left of the verse at a place: the drill begins when it is over. */
export function restOfVerse(
  track: FileTrack,
  verses: KnownVerse[],
  position_ms: number,
): FileTrack | undefined {
  const present = verseAt(track, verses, position_ms)
  const { kind, path, reciter, surah_number } = track
  const whole = { kind, path, reciter, surah_number }
  if (present && hasOwnFile(present, verses)) return whole
  const from_ms = present?.start_ms ?? 0
  const to_ms = present ? present.end_ms : verses[0]?.start_ms
  if (to_ms === undefined || position_ms >= to_ms) return undefined
  return { ...whole, clip: { from_ms, to_ms } }
}

import type { VerseRange } from '@manara/player-contract/verses'

/** Something that plays or has played. `surah_number` is 0 for a file that is no surah. */
export type FileTrack = {
  kind: 'file'
  path: string
  reciter: string
  surah_number: number
  /** Only this part of the file. */
  clip?: { from_ms: number; to_ms: number }
  /** The verses in it, when it is a part of a drill. */
  verses?: VerseRange
}
type StreamTrack = { kind: 'stream'; url: string; station: string }
export type Track = FileTrack | StreamTrack

/** The surahs of a reciter that are on the card right now. */
export type Shelf = (reciter: string, surah: number) => FileTrack | undefined

const FIRST = 1
const LAST = 114

/** What next and prev can count from. */
export const lastFile = (track: Track | undefined) => (track?.kind === 'file' ? track : null)

/** Where it begins. */
export const startOf = (track: Track): number =>
  track.kind === 'file' ? (track.clip?.from_ms ?? 0) : 0

/**
 * A round of a drill, the same again, or what goes on by itself in the next file of its surah: not
 * counted as another play.
 */
export function isRepetition(before: Track | null, next: Track, isChosen: boolean): boolean {
  if (before?.kind !== 'file' || next.kind !== 'file') return before === next
  const isSameSurah = before.surah_number === next.surah_number && before.reciter === next.reciter
  return before === next || (isSameSurah && (next.verses !== undefined || !isChosen))
}

/** A file that began before the card was read is a surah from then on. */
export function shelved<Kind extends Track>(
  track: Kind,
  locate: (path: string) => Pick<FileTrack, 'reciter' | 'surah_number'> | undefined,
): Kind {
  const isUnknown = track.kind === 'file' && track.surah_number === 0
  const place = isUnknown ? locate(track.path) : undefined
  return place ? { ...track, ...place } : track
}

/** The same file from its beginning to its end. */
export function wholeOf(track: Track): Track {
  if (track.kind === 'stream') return track
  const { clip: _clip, verses: _verses, ...whole } = track
  return whole
}

/** The nearest surah after `surah`, up to `last`, that is on the card. */
export function surahAfter(shelf: Shelf, reciter: string, surah: number, last = LAST) {
  for (let number = surah + 1; number <= last; number += 1) {
    const track = shelf(reciter, number)
    if (track) return track
  }
  return undefined
}

/** The nearest surah before `surah` that is on the card. */
export function surahBefore(shelf: Shelf, reciter: string, surah: number) {
  for (let number = surah - 1; number >= FIRST; number -= 1) {
    const track = shelf(reciter, number)
    if (track) return track
  }
  return undefined
}

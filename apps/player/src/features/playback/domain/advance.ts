import type { ModeBody } from '@manara/player-contract/mode'
import { beginsAgain, type Drill, drillOf, roundAt } from './drill.ts'
import { type FileTrack, type Shelf, surahAfter, type Track } from './track.ts'
import { clipOf, fileOfVerse, lengthOf, notKnown, type VerseBook } from './verse-clips.ts'

/** What happens at the end of a track. */
export type Advance =
  | { mode: 'off' | 'continuous' | 'repeat_one' }
  | { mode: 'hifz_repeat'; repeat_target: number; pause_s: number }
  | {
      mode: 'hifz_ab'
      repeat_target: number
      pause_s: number
      ab_start: number
      ab_end: number
    }
  | Drill
  | { mode: 'loop'; from_ms: number; to_ms: number }

/** What comes after the end: nothing, or a track, perhaps after a silence. */
export type Follow =
  | { kind: 'stop'; repeat_done: number; error?: string }
  | { kind: 'play'; track: Track; gap_s: number; repeat_done: number }

const ENDLESS = 0
// A range cannot be endless by contract; this is a day of drilling without being asked again.
const DEFAULT_AB_REPEAT = 100

export function advanceOf(body: ModeBody): Advance {
  const { mode, repeat, pause_s = 0, ab, verses, loop } = body
  if (mode === 'hifz_repeat') return { mode, repeat_target: repeat ?? ENDLESS, pause_s }
  if (mode === 'hifz_verses' && verses) return drillOf(body, verses)
  if (mode === 'loop' && loop) return { mode, from_ms: loop.from, to_ms: loop.to }
  if (mode !== 'hifz_ab' || !ab) return { mode: mode as 'off' }
  return {
    mode,
    repeat_target: repeat ?? DEFAULT_AB_REPEAT,
    pause_s,
    ab_start: ab.from,
    ab_end: ab.to,
  }
}

/** The request that brings it about. */
export function bodyOf(advance: Advance): ModeBody {
  switch (advance.mode) {
    case 'hifz_repeat': {
      const { mode, repeat_target: repeat, pause_s } = advance
      return { mode, repeat, pause_s }
    }
    case 'hifz_ab': {
      const { mode, repeat_target: repeat, pause_s, ab_start: from, ab_end: to } = advance
      return { mode, repeat, pause_s, ab: { from, to } }
    }
    case 'hifz_verses': {
      const { verse_from: from, verse_to: to, repeat_target: repeat, ...rest } = advance
      return { ...rest, verses: { from, to }, repeat }
    }
    case 'loop':
      return { mode: advance.mode, loop: { from: advance.from_ms, to: advance.to_ms } }
    default:
      return advance
  }
}

/** What it takes to know what follows: what is on the card, and how fast it plays. */
export type Surroundings = { shelf: Shelf; book: VerseBook; speed: number }

/** Decides what follows a track that has played to its end. */
export function followUp(
  advance: Advance,
  ended: Track,
  repeat_done: number,
  around: Surroundings,
): Follow {
  const { shelf } = around
  const isBeforeDrill = advance.mode === 'hifz_verses' && repeat_done === BEFORE_DRILL
  const onward = isBeforeDrill ? undefined : verseFileAfter(ended, around)
  if (onward) return { kind: 'play', track: onward, gap_s: 0, repeat_done }
  // Again is from its first verse on.
  const again = (isPlain(ended) && fileOfVerse(ended, around.book, 'first')) || ended
  const stop: Follow = { kind: 'stop', repeat_done }
  const play = (track: Track | undefined): Follow =>
    track ? { kind: 'play', track, gap_s: 0, repeat_done } : stop

  switch (advance.mode) {
    case 'off':
      return stop
    case 'repeat_one':
      return play(again)
    case 'continuous':
      return ended.kind === 'file' && ended.surah_number > 0
        ? play(surahAfter(shelf, ended.reciter, ended.surah_number))
        : stop
    case 'hifz_repeat':
      // It repeats a surah; a station that has fallen silent is none.
      return ended.kind === 'file' ? repetition(advance, again, repeat_done + 1) : stop
    case 'hifz_ab':
      return ended.kind === 'file' ? rangeStep(advance, ended, repeat_done, shelf) : stop
    case 'hifz_verses':
      return ended.kind === 'file' ? drillStep(advance, ended, repeat_done, around) : stop
    case 'loop':
      return ended.kind === 'file' && ended.clip ? play(ended) : stop
  }
}

/** No part of a drill or a loop. */
const isPlain = (track: Track): track is FileTrack =>
  track.kind === 'file' && !track.clip && !track.verses

/** A surah whose verses are files goes on from one to the next. */
const verseFileAfter = (ended: Track, { book }: Surroundings) =>
  isPlain(ended) ? fileOfVerse(ended, book, 'next') : undefined

/** A drill comes to its end first; everything else gives way to what somebody has queued. */
export function givesWay(
  advance: Advance,
  ended: Track,
  repeat_done: number,
  around: Surroundings,
): boolean {
  if (verseFileAfter(ended, around)) return false
  const isDrill = advance.mode.startsWith('hifz') || advance.mode === 'loop'
  return !isDrill || followUp(advance, ended, repeat_done, around).kind === 'stop'
}

function repetition(
  { repeat_target, pause_s }: { repeat_target: number; pause_s: number },
  track: Track | undefined,
  repeat_done: number,
): Follow {
  const isOver = repeat_target !== ENDLESS && repeat_done >= repeat_target
  return isOver || !track
    ? { kind: 'stop', repeat_done }
    : { kind: 'play', track, gap_s: pause_s, repeat_done }
}

/** What a range that is entered behind its first surah plays until its end: no full pass through it. */
const BEFORE_PASS = -1

/** The passes that are over when this surah is the first that is heard in a range. */
export function passesBefore(advance: Advance, track: Track | null, shelf: Shelf): number {
  if (advance.mode !== 'hifz_ab' || track?.kind !== 'file') return 0
  const { ab_start, ab_end } = advance
  const { reciter, surah_number } = track
  if (surah_number <= ab_start || surah_number > ab_end) return 0
  return surahAfter(shelf, reciter, ab_start - 1, surah_number - 1) ? BEFORE_PASS : 0
}

/** Missing surahs are skipped; the end of the range wraps to its start, and that is one repetition. */
function rangeStep(
  advance: Extract<Advance, { mode: 'hifz_ab' }>,
  { reciter, surah_number }: FileTrack,
  repeat_done: number,
  shelf: Shelf,
): Follow {
  const { ab_start, ab_end } = advance
  const isInside = surah_number >= ab_start && surah_number <= ab_end
  const next = isInside ? surahAfter(shelf, reciter, surah_number, ab_end) : undefined
  if (next) return { kind: 'play', track: next, gap_s: 0, repeat_done }
  const first = surahAfter(shelf, reciter, ab_start - 1, ab_end)
  // Whatever played before the range was entered is not a pass through it.
  if (!isInside && first) return { kind: 'play', track: first, gap_s: 0, repeat_done }
  return repetition(advance, first, repeat_done + 1)
}

/** Before the first round of a drill: what played when it was asked for comes to its end. */
export const BEFORE_DRILL = -1

/** The rest of the round if it goes on in another file, else the next round after the learner’s turn. */
function drillStep(
  drill: Drill,
  ended: FileTrack,
  repeat_done: number,
  { book, speed }: Surroundings,
): Follow {
  const isWhole = !ended.verses && repeat_done !== BEFORE_DRILL
  if (isWhole) return { kind: 'stop', repeat_done }
  const { verses, ...unknown } = book(ended)
  if (!verses) {
    const error = notKnown('reason' in unknown ? unknown.reason : '')
    return { kind: 'stop', repeat_done, error }
  }
  const round = roundAt(drill, repeat_done)
  const last = ended.verses?.to ?? 0
  const rest = round && last < round.to ? clipOf(ended, verses, round, last + 1) : undefined
  if (rest) return { kind: 'play', track: rest, gap_s: 0, repeat_done }
  const next = roundAt(drill, repeat_done + 1)
  const track = next && clipOf(ended, verses, next)
  if (!track) return { kind: 'stop', repeat_done: repeat_done + 1 }
  const heard_s = round ? lengthOf(verses, round) / (speed * 10) : 0
  const pause_s = round && beginsAgain(drill, round, next) ? drill.pause_s : 0
  const gap_s = (heard_s * drill.gap_percent) / 100 + pause_s
  return { kind: 'play', track, gap_s, repeat_done: repeat_done + 1 }
}

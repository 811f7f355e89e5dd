import type { ModeBody } from '@manara/player-contract/playback'
import { type FileTrack, type Shelf, surahAfter, type Track } from './track.ts'

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

/** What comes after the end: nothing, or a track, perhaps after a silence. */
export type Follow =
  | { kind: 'stop'; repeat_done: number }
  | { kind: 'play'; track: Track; gap_s: number; repeat_done: number }

const ENDLESS = 0
// A range cannot be endless by contract; this is a day of drilling without being asked again.
const DEFAULT_AB_REPEAT = 100

export function advanceOf({ mode, repeat, pause_s = 0, ab }: ModeBody): Advance {
  if (mode === 'hifz_repeat') return { mode, repeat_target: repeat ?? ENDLESS, pause_s }
  if (mode !== 'hifz_ab' || !ab) return { mode: mode as 'off' }
  return {
    mode,
    repeat_target: repeat ?? DEFAULT_AB_REPEAT,
    pause_s,
    ab_start: ab.from,
    ab_end: ab.to,
  }
}

/** Decides what follows a track that has played to its end. */
export function followUp(
  advance: Advance,
  ended: Track,
  repeat_done: number,
  shelf: Shelf,
): Follow {
  const stop: Follow = { kind: 'stop', repeat_done }
  const play = (track: Track | undefined): Follow =>
    track ? { kind: 'play', track, gap_s: 0, repeat_done } : stop

  switch (advance.mode) {
    case 'off':
      return stop
    case 'repeat_one':
      return play(ended)
    case 'continuous':
      return ended.kind === 'file' && ended.surah_number > 0
        ? play(surahAfter(shelf, ended.reciter, ended.surah_number))
        : stop
    case 'hifz_repeat':
      // It repeats a surah; a station that has fallen silent is none.
      return ended.kind === 'file' ? repetition(advance, ended, repeat_done + 1) : stop
    case 'hifz_ab':
      return ended.kind === 'file' ? rangeStep(advance, ended, repeat_done, shelf) : stop
  }
}

/** A drill comes to its end first; everything else gives way to what somebody has queued. */
export function givesWay(
  advance: Advance,
  ended: Track,
  repeat_done: number,
  shelf: Shelf,
): boolean {
  const isDrill = advance.mode === 'hifz_repeat' || advance.mode === 'hifz_ab'
  return !isDrill || followUp(advance, ended, repeat_done, shelf).kind === 'stop'
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

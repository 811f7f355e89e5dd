import { invalid } from '@manara/kit/errors'
import { type Advance, advanceOf, BEFORE_DRILL, passesBefore } from './advance.ts'
import { type Drill, roundAt } from './drill.ts'
import type { Command, Machine } from './state.ts'
import { type FileTrack, type Shelf, startOf, type Track, wholeOf } from './track.ts'
import { clipOf, restOfVerse, unfit, type VerseBook } from './verse-clips.ts'

/** What plays from now on, and from where. */
type Going = Pick<Machine, 'advance' | 'repeat_done'> & { track: Track; position_ms: number }

type Beginning = Going & Pick<Machine, 'own'>

type Loop = Extract<Advance, { mode: 'loop' }>
type Play = Extract<Command, { type: 'play' }>
type Mode = Extract<Command, { type: 'mode' }>

/** What begins when somebody plays this: of a drill its first round, else what they asked for. */
export function beginning(
  machine: Machine,
  wanted: Play,
  shelf: Shelf,
  book: VerseBook,
): Beginning {
  const { advance: present, own } = machine
  if (wanted.isKept) return { ...goingOn(present, wanted, book), own }
  const { mode } = wanted
  const chosen = own ?? present
  const going = started(mode ? advanceOf(mode) : chosen, wanted, shelf, book)
  // A drill that comes with what plays is about that alone.
  return { ...going, own: mode?.mode === 'hifz_verses' ? chosen : null }
}

function started(advance: Advance, wanted: Play, shelf: Shelf, book: VerseBook): Going {
  const { track, position_ms, mode, duration_ms } = wanted
  const repeat_done = passesBefore(advance, track, shelf)
  const whole = { advance, track, position_ms, repeat_done }
  if (advance.mode === 'hifz_verses') {
    if (mode) refuseUnfit(advance, track, book)
    // A mode of yesterday does not keep another surah from being heard.
    return firstRound(advance, track, book) ?? whole
  }
  if (advance.mode !== 'loop') return whole
  // A loop is about one file: another ends it.
  if (!mode) return { ...whole, advance: { mode: 'off' } }
  if (track.kind === 'stream') throw invalid('mode', 'a live stream cannot be looped')
  refuseLate(advance, duration_ms)
  return looped(advance, track, startOf(track))
}

/** After a stop or a power cut. A drill that is no longer the same begins anew. */
function goingOn(
  advance: Advance,
  { track, position_ms, repeat_done }: Play,
  book: VerseBook,
): Going {
  const kept = { advance, track, position_ms, repeat_done }
  if (track.kind === 'stream' || advance.mode === 'loop') return kept
  if (advance.mode !== 'hifz_verses') return { ...kept, track: wholeOf(track) }
  const round = roundAt(advance, repeat_done)
  const { verses = { from: 0, to: 0 } } = track
  const isOfRound = round && verses.from >= round.from && verses.to <= round.to
  if (isOfRound || repeat_done === BEFORE_DRILL) return kept
  return firstRound(advance, track, book) ?? { ...kept, track: wholeOf(track) }
}

function firstRound(advance: Drill, track: Track, book: VerseBook): Going | undefined {
  if (track.kind === 'stream' || unfit(advance, track, book)) return undefined
  const { verses } = book(track)
  const round = roundAt(advance, 0)
  const first = verses && round ? clipOf(track, verses, round) : undefined
  return first && { advance, track: first, position_ms: startOf(first), repeat_done: 0 }
}

function refuseUnfit(drill: Drill, track: Track, book: VerseBook) {
  const problem = unfit(drill, track, book)
  if (problem) throw invalid(problem.field, problem.message)
}

function looped(advance: Loop, track: FileTrack, position_ms: number): Going {
  const { from_ms, to_ms } = advance
  const { kind, path, reciter, surah_number } = track
  const clip = { kind, path, reciter, surah_number, clip: { from_ms, to_ms } }
  const isInside = position_ms >= from_ms && position_ms < to_ms
  return { advance, track: clip, position_ms: isInside ? position_ms : from_ms, repeat_done: 0 }
}

/** Without a track what plays goes on as it is. */
type Change = Pick<Machine, 'advance' | 'repeat_done'> & Partial<Going>

/**
 * What another mode makes of the track that is on: another part of its file, or the whole again.
 * Refuses what cannot be done with it, before anything has changed.
 */
export function changed(machine: Machine, wanted: Mode, shelf: Shelf, book: VerseBook): Change {
  const advance = advanceOf(wanted.body)
  const { gap } = machine
  const track = gap?.upcoming ?? machine.track
  const alone = { advance, repeat_done: passesBefore(advance, track, shelf) }
  const position_ms = gap ? startOf(gap.upcoming) : (wanted.heard?.position_ms ?? 0)
  if (advance.mode === 'loop') {
    if (track?.kind !== 'file') throw invalid('mode', 'there is no file that plays')
    refuseLate(advance, wanted.heard?.duration_ms)
    return looped(advance, track, position_ms)
  }
  if (advance.mode === 'hifz_verses' && track) {
    refuseUnfit(advance, track, book)
    return drilled(advance, track, gap ? undefined : position_ms, book) ?? alone
  }
  const isPart = track?.kind === 'file' && (track.clip || track.verses)
  if (!track || !(isPart || gap)) return alone
  return { ...alone, track: wholeOf(track), position_ms }
}

/** Where nobody knows how long the file is, the device finds out. */
function refuseLate({ to_ms }: Loop, duration_ms = 0) {
  if (duration_ms > 0 && to_ms > duration_ms)
    throw invalid('loop.to', `the file is ${Math.round(duration_ms)} ms long`)
}

/** From the end of the present verse on; at once in a silence. */
function drilled(
  advance: Drill,
  track: Track,
  position_ms: number | undefined,
  book: VerseBook,
): Going | undefined {
  const verses = track.kind === 'file' ? book(track).verses : null
  if (track.kind === 'stream' || !verses) return undefined
  const rest = position_ms === undefined ? undefined : restOfVerse(track, verses, position_ms)
  if (!rest || position_ms === undefined) return firstRound(advance, track, book)
  return { advance, track: rest, position_ms, repeat_done: BEFORE_DRILL }
}

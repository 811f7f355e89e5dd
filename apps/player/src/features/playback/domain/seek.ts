import { invalid } from '@manara/kit/errors'
import { rangeProblem } from '@manara/player-contract/verses'
import { BEFORE_DRILL } from './advance.ts'
import { type Drill, roundAt, roundOfVerse } from './drill.ts'
import type { Machine, Step } from './state.ts'
import { load } from './steps.ts'
import type { FileTrack } from './track.ts'
import { aroundStart, clipOf, notKnown, type VerseBook } from './verse-clips.ts'

/** Within the part of the file that plays. */
export function seek(machine: Machine, wanted_ms: number): Step {
  const { track, gap, state } = machine
  if (!track) throw invalid('position', 'nothing is playing')
  if (track.kind === 'stream') throw invalid('position', 'a live stream cannot be sought')
  // A drill has come further in its silence.
  const next = gap && track.verses ? gap.upcoming : track
  const { clip } = next as FileTrack
  const position_ms = clip ? Math.min(Math.max(wanted_ms, clip.from_ms), clip.to_ms) : wanted_ms
  // The engine has let go of the file during a gap.
  if (gap) return load(machine, next, position_ms, state === 'paused')
  return { next: machine, effects: [{ do: 'seek', position_ms }] }
}

/** To the beginning of a verse; in a drill to its first round. */
export function seekVerse(machine: Machine, number: number, book: VerseBook): Step {
  const { track, advance, state, gap } = machine
  if (!track) throw invalid('verse', 'nothing is playing')
  if (track.kind === 'stream') throw invalid('verse', 'a live stream has no verses')
  const surah = track.surah_number
  if (surah === 0) throw invalid('verse', 'this file is no surah')
  const known = book(track)
  const problem = rangeProblem(surah, { from: number, to: number }, known.verses?.length)
  if (problem) throw invalid('verse', problem.message)
  if (!known.verses) throw invalid('verse', notKnown(known.reason))
  const isDrilled = track.verses || machine.repeat_done === BEFORE_DRILL
  if (advance.mode === 'hifz_verses' && isDrilled)
    return seekRound(machine, advance, track, number, book)
  const verse = known.verses.find((one) => one.verse === number)
  if (!verse) throw invalid('verse', `${number} is not there`)
  const position_ms = aroundStart(verse)
  if (verse.path === track.path) return seek(machine, position_ms)
  const { kind, reciter, surah_number } = track
  const other = { kind, path: verse.path, reciter, surah_number }
  return load({ ...machine, gap }, other, position_ms, state === 'paused')
}

function seekRound(
  machine: Machine,
  drill: Drill,
  track: FileTrack,
  verse: number,
  book: VerseBook,
): Step {
  const { verse_from, verse_to } = drill
  if (verse < verse_from || verse > verse_to)
    throw invalid('verse', `what is memorised is ${verse_from} to ${verse_to}`)
  const repeat_done = roundOfVerse(drill, machine.repeat_done, verse)
  const round = roundAt(drill, repeat_done)
  const { verses } = book(track)
  const clip = verses && round && clipOf(track, verses, round)
  if (!clip) throw invalid('verse', `${verse} is not there`)
  return load({ ...machine, repeat_done }, clip, undefined, machine.state === 'paused')
}

import { invalid } from '@manara/kit/errors'
import { rangeProblem } from '@manara/player-contract/verses'
import { BEFORE_DRILL } from './advance.ts'
import { type Drill, roundAt, roundOfVerse } from './drill.ts'
import type { Command, Machine, Step } from './state.ts'
import { load } from './steps.ts'
import { type FileTrack, startOf } from './track.ts'
import { aroundStart, clipOf, notKnown, type VerseBook } from './verse-clips.ts'

export type Seek = Extract<Command, { type: 'seek' | 'seek-verse' }>

/** Where a seek leads to, and how far the machine has come there. */
type Place = { machine: Machine; track: FileTrack; position_ms: number }

export function seek(machine: Machine, wanted: Seek, book: VerseBook): Step {
  const place = placeOf(machine, wanted, book)
  // The engine has let go of the file during a gap.
  if (machine.gap || place.track !== machine.track) return loadAt(place)
  return { next: machine, effects: [{ do: 'seek', position_ms: place.position_ms }] }
}

/** For an engine that something else sounds in. */
export const loadSought = (machine: Machine, wanted: Seek, book: VerseBook): Step =>
  loadAt(placeOf(machine, wanted, book))

const loadAt = ({ machine, track, position_ms }: Place): Step =>
  load(machine, track, position_ms, machine.state === 'paused')

const placeOf = (machine: Machine, wanted: Seek, book: VerseBook): Place =>
  wanted.type === 'seek'
    ? placeIn(machine, wanted.position_ms)
    : placeOfVerse(machine, wanted.verse, book)

/** Within the part of the file that plays. */
function placeIn(machine: Machine, wanted_ms: number): Place {
  const { track, gap } = machine
  if (!track) throw invalid('position', 'nothing is playing')
  if (track.kind === 'stream') throw invalid('position', 'a live stream cannot be sought')
  // A drill has come further in its silence.
  const isDrill = gap !== null && track.verses !== undefined
  const next = isDrill ? (gap.upcoming as FileTrack) : track
  const { clip } = next
  const position_ms = clip ? Math.min(Math.max(wanted_ms, clip.from_ms), clip.to_ms) : wanted_ms
  return { machine: isDrill ? machine : backIn(machine), track: next, position_ms }
}

/** The silence comes after a pass that has been counted: whoever goes back has not ended it yet. */
const backIn = (machine: Machine): Machine =>
  machine.gap ? { ...machine, repeat_done: machine.repeat_done - 1 } : machine

/** To the beginning of a verse; in a drill to its first round. */
function placeOfVerse(machine: Machine, number: number, book: VerseBook): Place {
  const { track, advance } = machine
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
    return placeOfRound(machine, advance, track, number, book)
  const verse = known.verses.find((one) => one.verse === number)
  if (!verse) throw invalid('verse', `${number} is not there`)
  const position_ms = aroundStart(verse)
  if (verse.path === track.path) return placeIn(machine, position_ms)
  const { kind, reciter, surah_number } = track
  const other = { kind, path: verse.path, reciter, surah_number }
  return { machine: backIn(machine), track: other, position_ms }
}

function placeOfRound(
  machine: Machine,
  drill: Drill,
  track: FileTrack,
  verse: number,
  book: VerseBook,
): Place {
  const { verse_from, verse_to } = drill
  if (verse < verse_from || verse > verse_to)
    throw invalid('verse', `what is memorised is ${verse_from} to ${verse_to}`)
  const repeat_done = roundOfVerse(drill, machine.repeat_done, verse)
  const round = roundAt(drill, repeat_done)
  const { verses } = book(track)
  const clip = verses && round && clipOf(track, verses, round)
  if (!clip) throw invalid('verse', `${verse} is not there`)
  return { machine: { ...machine, repeat_done }, track: clip, position_ms: startOf(clip) }
}

import type { ModeReport } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { AudioSnapshot } from '../../ports/audio-output.ts'
import { type Drill, roundAt, roundCount } from './domain/drill.ts'
import type { Adhan, Machine } from './domain/state.ts'
import type { FileTrack } from './domain/track.ts'
import { unfit, type VerseBook, verseAt } from './domain/verse-clips.ts'

export type StatusExtras = {
  volume: number
  hasResumeState: boolean
  stream_title: string
  /** What is left of the silence between two repetitions, while there is one. */
  gap_ms: number
  book: VerseBook
}

/** The wire's view: the machine says what is meant to play, the engine how far it has come. */
export function statusOf(
  machine: Machine,
  audio: AudioSnapshot,
  extras: StatusExtras,
): PlaybackStatus {
  const { volume, hasResumeState, stream_title, gap_ms, book } = extras
  const { track, gap, state, error, adhan } = machine
  if (adhan) return duringAdhan(machine, adhan, audio, extras)
  const file = track?.kind === 'file' ? track : undefined
  const stream = track?.kind === 'stream' ? track : undefined
  const { mode: _, hifz, ...mode } = modeOf(machine, book)
  const isOver = gap !== null || audio.state === 'stopped'
  const verse = file && heardVerse(file, isOver, audio.position_ms, book)
  return {
    state,
    mode: track?.kind ?? 'idle',
    position: track
      ? Math.round(isOver ? (file?.clip?.to_ms ?? audio.duration_ms) : audio.position_ms)
      : 0,
    duration: file ? Math.round(audio.duration_ms) : 0,
    volume,
    underrun_count: audio.underrun_count,
    track: file?.path ?? stream?.url ?? '',
    reciter: file?.reciter ?? '',
    surah_number: file?.surah_number ?? 0,
    hasResumeState,
    ...mode,
    ...(hifz && {
      hifz: {
        ...hifz,
        ...(gap && { gap_ms: Math.round(gap_ms) }),
        ...(verse && mode.advance_mode === 'hifz_verses' && { verse: verse.verse }),
      },
    }),
    ...(verse && { verse: verse.verse, verse_sure: verse.sure }),
    ...(file && machine.speed !== 100 && { speed: machine.speed }),
    ...(stream?.station ? { station: stream.station } : {}),
    ...(stream && stream_title ? { stream_title } : {}),
    ...(error ? { error } : {}),
  }
}

/** What sounds is what is told; what it interrupted comes back with the event of its end. */
function duringAdhan(
  machine: Machine,
  { kind, isAfter, prayer, path, isPaused }: Adhan,
  { position_ms, duration_ms, underrun_count }: AudioSnapshot,
  { volume, hasResumeState, book }: StatusExtras,
): PlaybackStatus {
  const { mode: _, ...mode } = modeOf(machine, book)
  return {
    state: isPaused ? 'paused' : 'playing',
    mode: 'file',
    position: Math.round(position_ms),
    duration: Math.round(duration_ms),
    volume,
    underrun_count,
    track: path,
    reciter: '',
    surah_number: 0,
    hasResumeState,
    ...mode,
    ...(kind === 'adhan' ? { adhan: prayer } : {}),
    announcement: isAfter ? 'dua' : kind,
  }
}

/** In the learner’s turn, and at the end, it is the verse that was heard last. */
function heardVerse(track: FileTrack, isOver: boolean, position_ms: number, book: VerseBook) {
  const { verses } = book(track)
  if (!verses) return undefined
  const last = isOver ? track.verses?.to : undefined
  return last === undefined
    ? verseAt(track, verses, isOver ? Number.POSITIVE_INFINITY : position_ms)
    : verses.find(({ verse }) => verse === last)
}

export function modeOf(machine: Machine, book: VerseBook): ModeReport {
  const { advance, repeat_done, gap } = machine
  const { mode } = advance
  const names = { mode, advance_mode: mode }
  if (advance.mode === 'hifz_verses') return { ...names, hifz: drillStatus(machine, advance, book) }
  if (advance.mode === 'loop')
    return { ...names, loop: { from: advance.from_ms, to: advance.to_ms } }
  if (advance.mode !== 'hifz_repeat' && advance.mode !== 'hifz_ab') return names
  const { mode: _, ...configuration } = advance
  const done = { repeat_done: Math.max(0, repeat_done), waiting: gap !== null }
  return { ...names, hifz: { ...done, ...configuration } }
}

/** The round that is on; in the learner’s turn the one that is over. */
function drillStatus(machine: Machine, drill: Drill, book: VerseBook): ModeReport['hifz'] {
  const { track, repeat_done, gap } = machine
  const { mode: _, unsure, ...configuration } = drill
  const waiting = gap !== null
  const problem = track && !(track.kind === 'file' && track.verses) && unfit(drill, track, book)
  const round = problem ? undefined : roundAt(drill, Math.max(0, repeat_done - (waiting ? 1 : 0)))
  return {
    ...configuration,
    repeat: drill.repeat_target,
    repeat_done: round ? round.done + (waiting ? 1 : 0) : 0,
    repeat_target: round?.of ?? drill.repeat_target,
    waiting,
    steps: roundCount(drill),
    step: problem ? 0 : repeat_done + (waiting ? 0 : 1),
    ...(round && { round: { from: round.from, to: round.to } }),
    ...(unsure && { unsure }),
    ...(problem && { problem: problem.message }),
  }
}

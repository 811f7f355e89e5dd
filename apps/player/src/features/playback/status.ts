import type { ModeReport, PlaybackStatus } from '@manara/player-contract/playback'
import type { AudioSnapshot } from '../../ports/audio-output.ts'
import type { Adhan, Machine } from './domain/machine.ts'

export type StatusExtras = {
  volume: number
  hasResumeState: boolean
  stream_title: string
  /** What is left of the silence between two repetitions, while there is one. */
  gap_ms: number
}

/** The wire's view: the machine says what is meant to play, the engine how far it has come. */
export function statusOf(
  machine: Machine,
  audio: AudioSnapshot,
  extras: StatusExtras,
): PlaybackStatus {
  const { volume, hasResumeState, stream_title, gap_ms } = extras
  const { track, gap, state, error, adhan } = machine
  if (adhan) return duringAdhan(machine, adhan, audio, extras)
  const file = track?.kind === 'file' ? track : undefined
  const stream = track?.kind === 'stream' ? track : undefined
  const { advance_mode, hifz } = modeOf(machine)
  return {
    state,
    mode: track?.kind ?? 'idle',
    position: track ? Math.round(gap ? audio.duration_ms : audio.position_ms) : 0,
    duration: file ? Math.round(audio.duration_ms) : 0,
    volume,
    underrun_count: audio.underrun_count,
    track: file?.path ?? stream?.url ?? '',
    reciter: file?.reciter ?? '',
    surah_number: file?.surah_number ?? 0,
    hasResumeState,
    advance_mode,
    ...(hifz ? { hifz: gap ? { ...hifz, gap_ms: Math.round(gap_ms) } : hifz } : {}),
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
  { volume, hasResumeState }: StatusExtras,
): PlaybackStatus {
  const { mode: _, ...mode } = modeOf(machine)
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

export function modeOf({ advance, repeat_done, gap }: Machine): ModeReport {
  const { mode } = advance
  const names = { mode, advance_mode: mode }
  if (mode !== 'hifz_repeat' && mode !== 'hifz_ab') return names
  const { mode: _, ...configuration } = advance
  return { ...names, hifz: { repeat_done, waiting: gap !== null, ...configuration } }
}

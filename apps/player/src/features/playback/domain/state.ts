import type { ModeBody } from '@manara/player-contract/mode'
import type { AdhanEvent } from '@manara/player-contract/prayer'
import type { Advance } from './advance.ts'
import type { FileTrack, Track } from './track.ts'

export type Machine = {
  state: 'playing' | 'paused' | 'buffering' | 'stopped'
  /** Null exactly when stopped. */
  track: Track | null
  /** What next and prev count from; outlives a stop. */
  last: FileTrack | null
  advance: Advance
  /** What somebody chose before what plays brought a drill with it; null where it did not. */
  own: Advance | null
  /** Repetitions that are over; of a drill of verses, its rounds. */
  repeat_done: number
  /** Percent, of files. */
  speed: number
  /** The silence between two repetitions, and what follows it. */
  gap: { upcoming: Track } | null
  /** Sounds over everything; the rest of the machine then says what goes on afterwards. */
  adhan: Adhan | null
  /** Why playback stopped by itself. */
  error: string | null
}

export type Adhan = {
  kind: 'adhan' | 'reminder' | 'iqama'
  prayer: AdhanEvent['prayer']
  /** As told to clients. */
  path: string
  isPaused: boolean
  /** Its volume is one that was lent to it. */
  isLent: boolean
  /** Where the interrupted track was. */
  place_ms: number
  /** Follows when this was heard to its end: the dua. */
  after: { path: string; file: string } | null
  isAfter: boolean
}

/** How a source comes in. A volume holds from its first sound on, never before. */
export type Entrance = {
  /** `own`: what the person chose, after something had lent another. */
  volume?: number | 'own'
  /** Fades in, and what it replaces fades out. */
  softly?: boolean
}

export type Command =
  | ({
      type: 'play'
      track: Track
      position_ms: number
      repeat_done: number
      /** What happens at its end, chosen with it. */
      mode?: ModeBody | undefined
      /** Of its file, where that is known before it plays. */
      duration_ms?: number
      /** It goes on where it was, rather than beginning. */
      isKept?: boolean
    } & Entrance)
  | { type: 'pause' | 'resume' | 'stop' }
  | ({ type: 'next' | 'prev' } & Entrance)
  | { type: 'seek'; position_ms: number }
  | { type: 'seek-verse'; verse: number }
  /** With how far the track has come, where one plays, and how long it is, beneath an adhan too. */
  | { type: 'mode'; body: ModeBody; heard?: { position_ms: number; duration_ms: number } }
  | { type: 'speed'; speed: number }
  | ({ type: 'adhan'; file: string; volume: number } & Omit<Adhan, 'isPaused' | 'isAfter'>)

/** What the engine and the gap's clock report, and what happens to the source itself. */
export type Report =
  /** What was written and not heard yet lasts `left_ms`. */
  | { type: 'ended'; reason: 'eof' | 'error' | 'lost'; error: string; left_ms?: number | undefined }
  | { type: 'engine'; state: 'playing' | 'buffering' }
  | { type: 'gap-over' }
  /** Somebody has had enough of it and wants what it interrupted. */
  | { type: 'adhan-over' }
  /** What played, or would go on after the adhan, is no longer there. */
  | { type: 'source-gone'; error: string }

/** What the device has to do, in order, before the new state is true. */
export type Effect =
  | ({ do: 'load'; track: Track; position_ms: number; paused: boolean; speed?: number } & Entrance)
  | { do: 'seek'; position_ms: number }
  | { do: 'speed'; speed: number }
  /** Without a volume it is the one that the announcement before has. */
  | { do: 'announce'; file: string; volume?: number }
  | { do: 'pause' | 'resume' | 'stop' }
  /** Ends the adhan's sound and its volume; the place that was kept stays as it is. */
  | { do: 'silence' | 'own-volume' }
  | { do: 'start-gap'; seconds: number }
  | { do: 'freeze-gap' | 'thaw-gap' | 'end-gap' }

export type Step = { next: Machine; effects: Effect[] }

export const INITIAL: Machine = {
  state: 'stopped',
  track: null,
  last: null,
  advance: { mode: 'off' },
  own: null,
  repeat_done: 0,
  speed: 100,
  gap: null,
  adhan: null,
  error: null,
}

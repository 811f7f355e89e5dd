import type {
  AudioEvent,
  AudioSource,
  AudioState,
  Falling,
  LoadOptions,
} from '../../ports/audio-output.ts'
import type { StreamTimings } from '../stream-fetch.ts'
import type { SinkName } from './sinks/sink.ts'

/** What the worker is started with. */
export type WorkerSettings = {
  sink: SinkName
  /** The program behind `aplay` or `pw-cat` when it is not the one on the path. */
  command?: string
  asound?: string
  timings?: Partial<StreamTimings>
  volume: number
  /** One number, the position in milliseconds: shared, since it changes fifty times a second. */
  position: SharedArrayBuffer
}

export type Call =
  | { name: 'load'; source: AudioSource; options: LoadOptions }
  | { name: 'seek'; position_ms: number; falling: Falling | undefined }
  | { name: 'setSpeed'; percent: number; falling: Falling | undefined }
  | { name: 'setVolume'; percent: number }
  | { name: 'fade'; level: number; duration_ms: number }
  | { name: 'pause'; fade_ms: number | undefined }
  | { name: 'useSink'; sink: SinkName }
  | { name: 'resume'; falling: Falling | undefined }
  | { name: 'stop' | 'close' }

export type Condition = { state: AudioState; duration_ms: number }

/** `load` numbers the sources, so that what an old one still had to say can be told apart. */
export type Request = { id: number; load: number; call: Call }

export type Report =
  | { id: number; load: number; condition: Condition; error?: string }
  | { load: number; condition: Condition; event: AudioEvent }

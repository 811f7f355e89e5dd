export type AudioSource =
  /** An absolute path that has already been checked to lie on the card or in the product itself. */
  | { kind: 'file'; path: string }
  /** An http(s) URL; the engine fetches it through the guarded stream fetch, redirects included. */
  | { kind: 'stream'; url: string }

export type AudioState = 'playing' | 'paused' | 'buffering' | 'stopped'

export type AudioSnapshot = {
  state: AudioState
  /** What has been heard, not what has been decoded. */
  position_ms: number
  /** 0 while nothing is loaded and for live streams. */
  duration_ms: number
  /** Counts over the life of the engine. */
  underrun_count: number
  volume: number
}

export type AudioEvent =
  | { type: 'state'; state: AudioState }
  /** `eof`: played to its end. `error`: cannot be played. `lost`: was playing and its source went away. */
  | { type: 'ended'; reason: 'eof' | 'error' | 'lost'; error?: string }
  | { type: 'underrun'; count: number }
  | { type: 'metadata'; title: string }

/**
 * Sound leaves the process here. A call resolves once the engine has carried it out and rejects if
 * it could not; a rejected call leaves the engine stopped or as it was. A new `load` replaces what
 * is playing and no event of the replaced source arrives after it.
 */
export type AudioOutput = {
  readonly engine: 'embedded' | 'mpv'
  /** Where samples go: `aplay`, `pw-cat`, `null`, `capture`, or mpv's own name for its device. */
  readonly sink: string
  /**
   * A file: resolves when it is sounding (or paused there with `paused`), rejects with a reason when
   * it cannot be played. A stream: resolves in state `buffering`; what follows arrives as events.
   */
  load(source: AudioSource, options?: { position_ms?: number; paused?: boolean }): Promise<void>
  /** Also while buffering: the stream then stays paused when its data arrives. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Rejects for streams. Beyond the end is the end. Keeps playing or paused. */
  seek(position_ms: number): Promise<void>
  /** 0..100, loudness by ear (cubic), applied at once and kept over loads. */
  setVolume(percent: number): Promise<void>
  stop(): Promise<void>
  snapshot(): AudioSnapshot
  onEvent(listener: (event: AudioEvent) => void): () => void
  /** Ends every child and worker; the output is of no use afterwards. */
  close(): Promise<void>
}

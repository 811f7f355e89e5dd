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
  /**
   * `eof`: played to its end. `error`: cannot be played. `lost`: was playing and its source or the
   * device went away. The device may hold the last quarter of a second still: it is heard whatever
   * is called next, and what is loaded at once joins it without a gap. `left_ms` is how long that is.
   */
  | { type: 'ended'; reason: 'eof' | 'error' | 'lost'; error?: string; left_ms?: number }
  | { type: 'underrun'; count: number }
  | { type: 'metadata'; title: string }

/** Not louder than what a sleep timer has faded to: at `level`, and silent after `over_ms`. */
export type Falling = { level: number; over_ms: number }

export type LoadOptions = {
  position_ms?: number
  /**
   * A file ends here instead of at its end, to the frame, and falls to silence in its last
   * milliseconds. Beyond its end is its end.
   */
  until_ms?: number
  /** Percent, 50 to 125, at the same pitch; 100 when it is not said. Streams have their own. */
  speed?: number
  paused?: boolean
  /**
   * Holds from the first sound of this source on: what sounded before keeps its own volume to its
   * last sound. A load that is refused leaves the volume as it was.
   */
  volume?: number
  /** Rises from silence to the volume. */
  fade_in_ms?: number
  /** What sounds now falls to silence before this source begins. */
  fade_out_ms?: number
  /** At the whole volume when it is not said. */
  falling?: Falling
}

/** Why a load was refused: there is no device for any sound, so that it says nothing about the source. */
export class NoDevice extends Error {}

/**
 * Sound leaves the process here. A call resolves once the engine has carried it out and rejects if
 * it could not. A new `load` replaces what is playing and no event of the replaced source arrives
 * after it. One way to the device stays open across tracks and pauses; whatever was written to it
 * is heard, so nothing is skipped or heard twice.
 */
export type AudioOutput = {
  readonly engine: 'embedded' | 'mpv'
  /** Where samples go: `aplay`, `pw-cat`, `null`, `capture`, or mpv's own name for its device. */
  readonly sink: string
  /**
   * A file: resolves when it is sounding (or paused there with `paused`), rejects with a reason when
   * it cannot be played, and then what played before goes on; with `NoDevice` when nothing can. A stream: resolves in state
   * `buffering`; what follows arrives as events.
   */
  load(source: AudioSource, options?: LoadOptions): Promise<void>
  /**
   * Resolves when the device is silent; the position is then exactly what was heard. `fade_ms`
   * falls to silence first. Also while buffering: the stream then stays paused when its data arrives.
   */
  pause(options?: { fade_ms?: number }): Promise<void>
  /** At the full volume again, whatever faded before, unless it is to be `falling`. */
  resume(options?: { falling?: Falling }): Promise<void>
  /** Rejects for streams. Beyond the end is the end. Keeps playing or paused. Its level is as for `resume`. */
  seek(position_ms: number, options?: { falling?: Falling }): Promise<void>
  /**
   * How fast the file plays from now on, in percent, 50 to 125; the pitch stays and positions stay
   * those of the file. Holds until the next load. Rejects for streams. Its level is as for `resume`.
   */
  setSpeed(percent: number, options?: { falling?: Falling }): Promise<void>
  /** 0..100, loudness by ear (cubic), applied at once without a click and kept over loads. */
  setVolume(percent: number): Promise<void>
  /**
   * Slides to `level` times the volume, 0 (silence) to 1, over `duration_ms`, without a click and by
   * ear. Resolves when the slide has begun, not when it is over; a newer one goes on from where the
   * older has come to. The volume itself stays what it is (`snapshot().volume`), playing goes on
   * inaudibly at 0, and the next `load` or `resume` is at level 1 again unless it is `falling`. For a
   * sleep timer: `fade(0, 30_000)`, half a minute later `pause()`; `fade(1, 500)` when it is called off.
   */
  fade(level: number, duration_ms: number): Promise<void>
  /**
   * From now on sound goes to `alsa:<device>` or `pipewire:<node>`, or with `auto` where it went at
   * first. What plays goes on there; an output that is not there is waited for, as one that was lost.
   */
  useOutput(output: string): Promise<void>
  stop(): Promise<void>
  snapshot(): AudioSnapshot
  onEvent(listener: (event: AudioEvent) => void): () => void
  /** Ends every child and worker; the output is of no use afterwards. */
  close(): Promise<void>
}

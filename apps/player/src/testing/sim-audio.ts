import {
  type AudioEvent,
  type AudioOutput,
  type AudioSource,
  type AudioState,
  type Falling,
  type LoadOptions,
  NoDevice,
} from '../ports/audio-output.ts'

/** An engine without sound whose time a test turns: for rules, not for audio. */
export function createSimAudio({ duration_ms = 60_000 } = {}) {
  const listeners = new Set<(event: AudioEvent) => void>()
  const loaded: (LoadOptions & { source: AudioSource; position_ms: number })[] = []
  const fades: { level: number; duration_ms: number }[] = []
  const fallings: Falling[] = []
  const outputs: string[] = []
  const speeds: number[] = []
  const whileSounding: number[] = []
  const unplayable = new Set<string>()
  let state: AudioState = 'stopped'
  let position_ms = 0
  let volume = 100
  let underrun_count = 0
  let isStream = false
  let hasDevice = true
  let attempts = 0
  let endsInFade = false

  const emit = (event: AudioEvent) => {
    for (const listener of listeners) listener(event)
  }

  function end(reason: 'eof' | 'error' | 'lost' = 'eof', error?: string) {
    state = 'stopped'
    endsInFade = false
    emit({ type: 'ended', reason, ...(error ? { error } : {}) })
  }

  const fall = ({ falling }: { falling?: Falling }) => falling && fallings.push(falling)

  const output: AudioOutput = {
    engine: 'embedded',
    sink: 'sim',
    async load(source, options = {}) {
      attempts += 1
      if (!hasDevice) throw new NoDevice('no sound device could be opened')
      if (source.kind === 'file' && unplayable.has(source.path)) {
        throw new Error('unrecognised format')
      }
      fall(options)
      loaded.push({ source, position_ms: 0, ...options })
      isStream = source.kind === 'stream'
      position_ms = options.position_ms ?? 0
      volume = options.volume ?? volume
      state = options.paused ? 'paused' : isStream ? 'buffering' : 'playing'
      emit({ type: 'state', state })
    },
    async pause({ fade_ms = 0 } = {}) {
      if (state === 'playing') fades.push({ level: 0, duration_ms: fade_ms })
      if (endsInFade && fade_ms > 0) return end()
      state = 'paused'
    },
    async resume(options = {}) {
      fall(options)
      state = 'playing'
    },
    async seek(to, options = {}) {
      fall(options)
      position_ms = Math.min(to, duration_ms)
    },
    async setSpeed(percent, options = {}) {
      fall(options)
      speeds.push(percent)
    },
    async setVolume(percent) {
      if (state === 'playing') whileSounding.push(percent)
      volume = percent
    },
    async fade(level, duration_ms) {
      fades.push({ level, duration_ms })
    },
    async useOutput(output) {
      outputs.push(output)
    },
    async stop() {
      state = 'stopped'
    },
    snapshot: () => ({
      state,
      position_ms: state === 'stopped' ? 0 : position_ms,
      duration_ms: state === 'stopped' || isStream ? 0 : duration_ms,
      underrun_count,
      volume,
    }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      listeners.clear()
    },
  }

  return {
    output,
    loaded,
    /** What was asked of `fade`, and of pauses while something sounded. */
    fades,
    /** What was to begin at less than the volume, and fall. */
    fallings,
    /** Volumes that were set while something sounded. */
    whileSounding,
    /** What was asked of `useOutput`. */
    outputs,
    /** What was asked of `setSpeed`. */
    speeds,
    unplayable,
    /** The loudspeaker is pulled out, or put in again. */
    plug(isIn: boolean) {
      hasDevice = isIn
    },
    /** Loads that were asked for, refused ones too. */
    attempts: () => attempts,
    /** Sound goes on until here. */
    playTo(ms: number) {
      position_ms = ms
    },
    end,
    /** What plays comes to its end while it fades out. */
    endInFade() {
      endsInFade = true
    },
    become(next: 'playing' | 'buffering') {
      state = next
      if (next === 'buffering') underrun_count += 1
      emit({ type: 'state', state })
    },
    title: (title: string) => emit({ type: 'metadata', title }),
  }
}

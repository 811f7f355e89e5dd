import { createQueue } from '@manara/kit/queue'
import type { AudioOutput, Falling, LoadOptions } from '../ports/audio-output.ts'
import { createAnnouncer } from './mpv/announcer.ts'
import { createMpvEngine } from './mpv/engine.ts'
import type { EngineOptions } from './mpv/options.ts'
import { checkPlayable } from './mpv/playable.ts'
import { createSession, endOf, REPLACED, type Session } from './mpv/session.ts'

export type MpvOptions = EngineOptions

/** So short that it is not heard, and long enough that a step is not heard as a click. */
const RAMP_MS = 20
/** A paused file cannot stand at its very end: mpv would take that for having played it. */
const BEFORE_END_MS = 20

/** mpv's name for an output; undefined for `auto`. */
export function mpvOutput(output: string): { ao: string; device: string } | undefined {
  const [, ao, device] = /^(alsa|pipewire):(.+)$/.exec(output) ?? []
  return ao && device ? { ao, device } : undefined
}

const playableOf = ({ target, longest_ms, size }: Session) => ({ target, longest_ms, size })

/** Sound through an mpv of our own that is kept alive. Rejects when mpv cannot be started. */
export async function createMpvAudio(
  options: MpvOptions = {},
): Promise<AudioOutput & { pid(): number }> {
  const announcer = createAnnouncer()
  const { become } = announcer
  const engine = await createMpvEngine(options, announcer)
  const { ask, tell, loudness } = engine
  const { command } = options
  let loads = 0
  let closed = false
  const seeks = createQueue()

  function open() {
    if (closed) throw new Error('the audio output is closed')
  }

  function loaded(): Session {
    open()
    const session = engine.current()
    if (!session) throw new Error('nothing is loaded')
    return session
  }

  /** What sounds falls silent, so that what follows does not cut into it; not if it is to sound again. */
  async function hush(fade_ms = 0): Promise<boolean> {
    const session = engine.current()
    if (session?.heard && !session.paused) return loudness.fade(0, Math.max(RAMP_MS, fade_ms))
    await engine.tailOver()
    return true
  }

  /** To the whole volume, or to where a sleep timer has faded to and onward to silence. */
  async function rise(rise_ms: number, falling?: Falling) {
    const isThere = await loudness.fade(falling?.level ?? 1, rise_ms)
    if (isThere && falling) void loudness.fade(0, Math.max(0, falling.over_ms - rise_ms))
  }

  /** Before anything is heard of a source: its volume, and the silence that it may rise from. */
  async function enter({ volume, falling }: LoadOptions, risesBySteps: boolean) {
    if (volume !== undefined) await engine.tailOver()
    if (volume !== undefined) await loudness.set(volume)
    if (risesBySteps) await loudness.fade(0, 0)
    else await rise(0, falling)
  }

  /** What plays goes on while the file is looked at, and afterwards if it is refused. */
  async function beforeFile(path: string) {
    engine.hold(true)
    try {
      return await checkPlayable(path, command)
    } catch (error) {
      engine.hold(false)
      throw error
    }
  }

  async function loadFile(session: Session, options: LoadOptions) {
    try {
      await enter(options, false)
      if (engine.current() === session) await engine.start(session)
    } catch (error) {
      engine.fail(session, (error as Error).message)
      await tell(() => ask('stop'))
    }
    await engine.ready(session)
  }

  /** What played before goes on where it was. */
  async function goBack(before: Session, { falling }: LoadOptions, volume: number) {
    const { source, position_ms, until_ms, speed, paused } = before
    const session = createSession(source, {
      ...{ position_ms, speed: speed * 100, paused },
      ...(until_ms !== undefined && { until_ms }),
    })
    const options = { volume, ...(falling && { falling }) }
    if (source.kind === 'file') Object.assign(session, playableOf(before))
    await engine.begin(session)
    if (source.kind === 'file') await loadFile(session, options)
    else await loadStream(session, source.url, options)
  }

  async function loadStream(session: Session, url: string, options: LoadOptions) {
    become(session.paused ? 'paused' : 'buffering')
    await engine.tailOver()
    await tell(() => ask('stop'))
    const { fade_in_ms = 0, falling } = options
    await enter(options, fade_in_ms > 0)
    void engine.startStream(session, url)
    if (fade_in_ms > 0) void session.sounding.promise.then(() => rise(fade_in_ms, falling))
  }

  async function seekIn(session: Session, position_ms: number) {
    if (engine.current() !== session) throw new Error(REPLACED)
    const end_ms = endOf(session) - (session.paused ? BEFORE_END_MS : 0)
    const target_ms = session.duration_ms > 0 ? Math.min(position_ms, end_ms) : position_ms
    const settled = engine.settled()
    // Also where a new process would go on, if this one dies of it.
    session.position_ms = target_ms
    await tell(() => ask('seek', target_ms / 1000, 'absolute+exact'))
    await settled
  }

  return {
    engine: 'mpv',
    get sink() {
      return engine.sink()
    },
    pid: engine.pid,

    async load(source, options = {}) {
      open()
      const mine = ++loads
      const playable = source.kind === 'file' ? await beforeFile(source.path) : {}
      if (mine === loads && engine.current()) await hush(options.fade_out_ms)
      if (mine !== loads) throw new Error(REPLACED)
      const [before, volume] = [engine.current(), loudness.volume()]
      const session = Object.assign(createSession(source, options), playable)
      await engine.begin(session)
      if (source.kind === 'stream') return loadStream(session, source.url, options)
      try {
        await loadFile(session, options)
      } catch (error) {
        if (mine === loads && before) await goBack(before, options, volume).catch(() => {})
        else if (mine === loads) await loudness.set(volume)
        throw error
      }
    },

    async pause({ fade_ms } = {}) {
      const session = loaded()
      // Only when asked to: what mpv plays between silence and pause would be lost.
      if (fade_ms && !(await hush(fade_ms))) return
      session.paused = true
      await tell(() => ask('set_property', 'pause', true))
      if (session.heard) await engine.still()
      const isShown = session.heard || session.source.kind === 'stream'
      if (engine.current() === session && session.paused && isShown) become('paused')
    },

    async resume({ falling } = {}) {
      const session = loaded()
      session.paused = false
      void rise(RAMP_MS, falling)
      await tell(() => ask('set_property', 'pause', false))
      const starves = await ask('get_property', 'paused-for-cache').catch(() => true)
      if (engine.current() !== session || session.paused) return
      if (session.source.kind === 'stream')
        become(session.started && !starves ? 'playing' : 'buffering')
      else if (session.heard) become('playing')
    },

    /** A fade goes on by itself meanwhile. */
    async seek(position_ms) {
      const session = loaded()
      if (session.source.kind === 'stream') throw new Error('a live stream cannot be sought')
      await seeks.run(() => seekIn(session, position_ms))
    },

    async setSpeed(percent) {
      const session = loaded()
      if (session.source.kind === 'stream') throw new Error('a live stream plays at its own speed')
      session.speed = percent / 100
      await tell(() => ask('set_property', 'speed', session.speed))
    },

    async setVolume(percent) {
      open()
      await engine.tailOver()
      await loudness.set(percent)
    },

    async useOutput(output) {
      open()
      await engine.useOutput(mpvOutput(output) ?? options)
    },

    async fade(level, duration_ms) {
      open()
      void loudness.fade(level, duration_ms)
    },

    async stop() {
      open()
      loads += 1
      const session = engine.current()
      await hush()
      engine.drop()
      // The end of a track that is over by itself is still to be heard.
      if (session) await tell(() => ask('stop'))
      become('stopped')
    },

    snapshot() {
      const session = engine.current()
      return {
        state: announcer.state(),
        position_ms: Math.max(0, Math.round(session?.position_ms ?? 0)),
        duration_ms: Math.round(session?.duration_ms ?? 0),
        underrun_count: announcer.underruns(),
        volume: loudness.volume(),
      }
    },

    onEvent: announcer.onEvent,

    async close() {
      if (closed) return
      closed = true
      await engine.close()
    },
  }
}

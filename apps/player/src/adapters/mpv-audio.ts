import { stat } from 'node:fs/promises'
import { createQueue } from '@manara/kit/queue'
import type { AudioOutput } from '../ports/audio-output.ts'
import { createAnnouncer } from './mpv/announcer.ts'
import { createMpvEngine, type EngineOptions } from './mpv/engine.ts'
import { createSession, REPLACED, type Session } from './mpv/session.ts'

export type MpvOptions = EngineOptions

/** A paused file cannot stand at its very end: mpv would take that for having played it. */
const BEFORE_END_MS = 20

/** Sound through an mpv of our own that is kept alive. Rejects when mpv cannot be started. */
export async function createMpvAudio(
  options: MpvOptions = {},
): Promise<AudioOutput & { pid(): number }> {
  const announcer = createAnnouncer()
  const { become } = announcer
  const engine = await createMpvEngine(options, announcer)
  const { ask, tell } = engine
  let volume = 100
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

  async function loadFile(session: Session, path: string) {
    try {
      session.size = (await stat(path)).size
      if (engine.current() === session) await engine.start(session)
    } catch (error) {
      engine.fail(session, (error as Error).message)
      await tell(() => ask('stop'))
    }
    await session.ready.promise
  }

  async function loadStream(session: Session, url: string) {
    become(session.paused ? 'paused' : 'buffering')
    await tell(() => ask('stop'))
    void engine.startStream(session, url)
  }

  async function seekIn(session: Session, position_ms: number) {
    if (engine.current() !== session) throw new Error(REPLACED)
    const end_ms = session.duration_ms - (session.paused ? BEFORE_END_MS : 0)
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

    async load(source, { position_ms = 0, paused = false } = {}) {
      open()
      const session = createSession(source, position_ms, paused)
      await engine.begin(session)
      if (source.kind === 'file') await loadFile(session, source.path)
      else await loadStream(session, source.url)
    },

    async pause() {
      const session = loaded()
      session.paused = true
      await tell(() => ask('set_property', 'pause', true))
      const isShown = session.heard || session.source.kind === 'stream'
      if (engine.current() === session && isShown) become('paused')
    },

    async resume() {
      const session = loaded()
      session.paused = false
      await tell(() => ask('set_property', 'pause', false))
      const starves = await ask('get_property', 'paused-for-cache').catch(() => true)
      if (engine.current() !== session || session.paused) return
      if (session.source.kind === 'stream')
        become(session.started && !starves ? 'playing' : 'buffering')
      else if (session.heard) become('playing')
    },

    async seek(position_ms) {
      const session = loaded()
      if (session.source.kind === 'stream') throw new Error('a live stream cannot be sought')
      await seeks.run(() => seekIn(session, position_ms))
    },

    async setVolume(percent) {
      volume = percent
      await engine.setVolume(percent)
    },

    async stop() {
      open()
      engine.drop()
      await tell(() => ask('stop'))
      become('stopped')
    },

    snapshot() {
      const session = engine.current()
      return {
        state: announcer.state(),
        position_ms: Math.max(0, Math.round(session?.position_ms ?? 0)),
        duration_ms: Math.round(session?.duration_ms ?? 0),
        underrun_count: announcer.underruns(),
        volume,
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

import { SILENT } from '../../ports/card.ts'
import { DEFAULT_TIMINGS } from '../stream-fetch.ts'
import type { Announcer } from './announcer.ts'
import { createHolder } from './holder.ts'
import { linkMpv } from './link.ts'
import { createLoudness } from './loudness.ts'
import type { EngineOptions } from './options.ts'
import { createReactions } from './reactions.ts'
import { loadOptions, type Session } from './session.ts'
import { startStreamProxy } from './stream-proxy.ts'
import { createTail } from './tail.ts'

const LOAD_MS = 15_000
const LOAD_TRIES = 2

/** Holds one session on whichever mpv process is alive. */
export async function createMpvEngine(
  { ao, device, command, timings, watch, load_ms = LOAD_MS, still_ms = LOAD_MS }: EngineOptions,
  announcer: Announcer,
) {
  const { emit, become } = announcer
  const { backoff_ms } = { ...DEFAULT_TIMINGS, ...timings }
  const tail = createTail()
  const loudness = createLoudness((percent) =>
    link.tell(() => link.ask('set_property', 'volume', percent)),
  )
  const rest = () => link.tell(() => link.ask('stop'))
  const holder = createHolder(announcer, { tail, rest, forget: () => link.forget() })
  const reactions = createReactions({
    ...{ announcer, holder, start, backoff_ms, still_ms },
    link: () => link,
    sink: ao ?? 'mpv',
  })

  async function start(current: Session) {
    const { target, paused } = current
    if (target === undefined) return
    if (paused) await tail.over()
    const joins = tail.join()
    await link.tell(async () => {
      await link.ask('set_property', 'pause', paused)
      if (holder.current() === current) await link.load(target, loadOptions(current), joins)
    })
  }

  async function startStream(current: Session, url: string) {
    try {
      const relay = await proxy.open(url, current.ending.signal, {
        isStarving: () => announcer.state() === 'buffering',
        title: (title) => holder.current() === current && emit({ type: 'metadata', title }),
        failed: (error) => void endStream(current, error.message),
      })
      Object.assign(current, { relay, target: relay.local, hls: relay.hls })
      if (holder.current() === current) await start(current)
    } catch (error) {
      await endStream(current, (error as Error).message)
    }
  }

  async function endStream(current: Session, error: string) {
    if (holder.current() !== current) return
    await holder.finish(current, { reason: 'error', error })
    await rest()
  }

  async function onRestarted() {
    const session = holder.current()
    if (!session) return
    session.started = false
    if (session.source.kind === 'stream') session.base_ms = session.position_ms
    if (!session.paused) become('buffering')
    await start(session)
  }

  function onLost(reason: string) {
    const session = holder.current()
    if (!session) return
    session.ready.reject(new Error(reason))
    void holder.finish(session, { reason: 'lost', error: reason })
  }

  const proxy = await startStreamProxy({ ...(timings && { timings }) })
  const link = await linkMpv({
    ...{ output: { ao, device }, command, watch },
    ...{ volume: loudness.effective, signals: reactions.signals, onRestarted, onLost },
  }).catch(async (error) => {
    await proxy.close()
    throw error
  })

  const { current, drop, fail, hold, settled } = holder
  return {
    ask: link.ask,
    tell: link.tell,
    useOutput: link.useOutput,
    pid: link.pid,
    ...{ current, drop, fail, hold, settled },
    start,
    startStream,
    sink: reactions.sink,
    loudness,
    tailOver: tail.over,

    /**
     * Resolves when it sounds. An mpv that waits for a dead card answers, but loads nothing else: it is
     * ended, and the one that follows has a try.
     */
    async ready(session: Session) {
      let tries = 0
      const late = setInterval(() => {
        if (++tries === LOAD_TRIES) fail(session, SILENT)
        link.kill()
      }, load_ms)
      await session.ready.promise.finally(() => clearInterval(late))
    },

    /** Resolves when mpv has come to rest. */
    async still() {
      const at = await link.restingAt()
      const session = holder.current()
      if (session && typeof at === 'number') session.position_ms = session.base_ms + at * 1000
    },

    /** Makes this the session, on a living mpv: one that was given up gets a new chance. */
    async begin(next: Session) {
      holder.take(next)
      try {
        await link.revive()
      } catch (error) {
        fail(next, (error as Error).message)
        throw error
      }
    },

    async close() {
      holder.end()
      loudness.end()
      await link.close()
      await proxy.close()
    },
  }
}

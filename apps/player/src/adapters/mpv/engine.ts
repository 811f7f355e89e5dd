import { setTimeout as sleep } from 'node:timers/promises'
import { NoDevice } from '../../ports/audio-output.ts'
import { DEFAULT_TIMINGS } from '../stream-fetch.ts'
import type { Announcer } from './announcer.ts'
import type { Signals } from './follower.ts'
import { linkMpv } from './link.ts'
import { createLoudness } from './loudness.ts'
import type { EngineOptions } from './options.ts'
import {
  type Ending,
  endingOf,
  isNearEnd,
  isPastEnd,
  loadOptions,
  REPLACED,
  type Session,
  tailOf,
} from './session.ts'
import { startStreamProxy } from './stream-proxy.ts'
import { createTail } from './tail.ts'

/** Without sound for this long the device is let go. */
const IDLE_MS = 30_000
/** How long a device that was pulled out is waited for. */
const DEVICE_RETRY_MS = 1000
const DEVICE_RETRIES = 60

/** Holds one session on whichever mpv process is alive, and makes states of what mpv says. */
export async function createMpvEngine(
  { ao, device, command, timings, watch }: EngineOptions,
  { emit, become, state, countUnderrun }: Announcer,
) {
  const { backoff_ms } = { ...DEFAULT_TIMINGS, ...timings }
  let settling = Promise.withResolvers<void>()
  let session: Session | undefined
  const tail = createTail()
  let idle: NodeJS.Timeout | undefined
  /** Another source is about to take its place, so that its end is no longer told. */
  let held: Ending | boolean = false
  const loudness = createLoudness((percent) =>
    link.tell(() => link.ask('set_property', 'volume', percent)),
  )
  let sink = ao ?? 'mpv'

  const signals: Signals = {
    started() {
      if (session) void onStarted(session)
    },
    ended(reason, error) {
      if (session) onEnded(session, reason, error)
    },
    deviceUnderrun() {
      // Without a device the line only tells that a timer of mpv's was late.
      if (state() === 'playing' && sink !== 'null') countUnderrun()
    },
    property(name, value) {
      if (session) onProperty(session, name, value)
    },
  }

  function onProperty(current: Session, name: string, value: unknown) {
    const isLive = current.source.kind === 'stream'
    if (name === 'current-ao' && typeof value === 'string') sink = value
    // Paused, it is where `still` and `seek` have found it: this lags behind what is heard.
    if (name === 'time-pos' && typeof value === 'number' && current.started && !current.paused) {
      current.position_ms = current.base_ms + value * 1000
      if (isNearEnd(current)) void finish(current, { reason: 'eof' })
    }
    // mpv takes what has arrived of a live stream for all of it.
    if (name === 'duration' && typeof value === 'number' && !isLive)
      current.duration_ms = Math.min(value * 1000, current.longest_ms)
    if (!isLive || current.paused) return
    if (name === 'core-idle' && value === false && current.started) become('playing')
    if (name === 'paused-for-cache' && value === true) interrupted()
  }

  function interrupted() {
    if (state() === 'playing') countUnderrun()
    if (state() !== 'paused') become('buffering')
  }

  async function onStarted(current: Session) {
    current.started = true
    current.failures = 0
    settle()
    current.sounding.resolve()
    current.relay?.sounds()
    if (current.source.kind === 'stream') current.heard = true
    else if (current.heard) await onSoundAgain(current)
    else await onFirstSound(current)
  }

  /** After a seek, or mpv or its device is back: mpv says it plays even when none could be opened. */
  async function onSoundAgain(current: Session) {
    if (current.deviceTries > 0) {
      if ((await link.device()) === undefined || session !== current) return
      current.deviceTries = 0
    }
    // At once: its end may be told in the same breath, and is the last word then.
    become(current.paused ? 'paused' : 'playing')
  }

  async function onFirstSound(current: Session) {
    const { isSilent, device, duration_ms } = await link.findings()
    if (session !== current || !link.isAlive()) return
    current.duration_ms ||= Math.min(duration_ms, current.longest_ms)
    // Its end is told: it was to begin there.
    if (isSilent && isPastEnd(current)) return
    if (isSilent) return fail(current, 'no sound could be decoded')
    if (device === undefined) return fail(current, new NoDevice('no sound device could be opened'))
    current.heard = true
    become(current.paused ? 'paused' : 'playing')
    current.ready.resolve()
  }

  function onEnded(current: Session, reason: string, error = 'it cannot be played') {
    if (reason !== 'eof' && reason !== 'error') return
    const isError = reason === 'error'
    const isOfDevice = /audio output/.test(error)
    if (current.heard && isOfDevice) return void awaitDevice(current, error)
    if (current.source.kind === 'stream') return void reload(current, isError ? error : '')
    if (isPastEnd(current)) void finish(current, { reason: 'eof' })
    else if (!isError) void onFileEnd(current)
    else if (current.heard) void finish(current, { reason: 'error', error })
    else fail(current, isOfDevice ? new NoDevice(error) : error)
  }

  /** mpv comes to the end also of a file that nothing could be decoded of. */
  async function onFileEnd(current: Session) {
    if (!current.heard) await onFirstSound(current)
    if (current.heard) await finish(current, { reason: 'eof' })
  }

  /** A live stream has no end: whatever ended is opened again, unless it never was sound. */
  async function reload(current: Session, error: string) {
    const isSilent = !current.started && error !== ''
    if (isSilent && current.relay?.isHopeless())
      return void finish(current, { reason: 'error', error })
    interrupted()
    current.started = false
    current.base_ms = current.position_ms
    const pause_ms = backoff_ms[Math.min(current.failures, backoff_ms.length - 1)]
    current.failures += 1
    await sleep(pause_ms, undefined, { signal: current.ending.signal }).catch(() => {})
    if (session === current) await start(current)
  }

  /** The device is gone, a USB plug or the screen behind HDMI: it is tried again where it was. */
  async function awaitDevice(current: Session, error: string) {
    current.started = false
    current.deviceTries += 1
    if (current.deviceTries > DEVICE_RETRIES) return void finish(current, { reason: 'lost', error })
    if (!current.paused) become('buffering')
    await sleep(DEVICE_RETRY_MS, undefined, { signal: current.ending.signal }).catch(() => {})
    if (session === current) await start(current)
  }

  function fail(current: Session, reason: string | Error) {
    if (session !== current) return
    current.ready.reject(typeof reason === 'string' ? new Error(reason) : reason)
    drop()
    become('stopped')
  }

  async function finish(current: Session, ending: Ending) {
    if (held && session === current) {
      held = ending
      return
    }
    const { reason, error } = ending.reason === 'eof' ? await endingOf(current) : ending
    if (session !== current) return
    const left_ms = tailOf(current)
    tail.begin(left_ms)
    current.ready.resolve()
    drop()
    become('stopped')
    emit({ type: 'ended', reason, ...(error !== undefined && { error }), left_ms })
  }

  function drop() {
    session?.ready.reject(new Error(REPLACED))
    session?.ending.abort()
    session = undefined
    held = false
    link.forget()
    settle()
    clearTimeout(idle)
    idle = setTimeout(() => void link.tell(() => link.ask('stop')).catch(() => {}), IDLE_MS)
  }

  function settle() {
    settling.resolve()
    settling = Promise.withResolvers<void>()
  }

  async function start(current: Session) {
    const { target, paused } = current
    if (target === undefined) return
    if (paused) await tail.over()
    const joins = tail.join()
    await link.tell(async () => {
      await link.ask('set_property', 'pause', paused)
      if (session === current) await link.load(target, loadOptions(current), joins)
    })
  }

  async function startStream(current: Session, url: string) {
    try {
      const relay = await proxy.open(url, current.ending.signal, {
        title: (title) => session === current && emit({ type: 'metadata', title }),
        failed: (error) => void endStream(current, error.message),
      })
      Object.assign(current, { relay, target: relay.local, hls: relay.hls })
      if (session === current) await start(current)
    } catch (error) {
      await endStream(current, (error as Error).message)
    }
  }

  async function endStream(current: Session, error: string) {
    if (session !== current) return
    await finish(current, { reason: 'error', error })
    await link.tell(() => link.ask('stop'))
  }

  async function onRestarted() {
    if (!session) return
    session.started = false
    if (session.source.kind === 'stream') session.base_ms = session.position_ms
    if (!session.paused) become('buffering')
    await start(session)
  }

  function onLost(reason: string) {
    if (!session) return
    session.ready.reject(new Error(reason))
    void finish(session, { reason: 'lost', error: reason })
  }

  const proxy = await startStreamProxy({ ...(timings && { timings }) })
  const link = await linkMpv({
    ...{ output: { ao, device }, command, watch },
    ...{ volume: loudness.effective, signals, onRestarted, onLost },
  }).catch(async (error) => {
    await proxy.close()
    throw error
  })

  return {
    ask: link.ask,
    tell: link.tell,
    useOutput: link.useOutput,
    start,
    startStream,
    fail,
    drop,
    current: () => session,
    sink: () => sink,
    pid: link.pid,

    loudness,
    tailOver: tail.over,

    hold(isHeld: boolean) {
      const ending = held
      held = isHeld && (held || true)
      if (!isHeld && session && typeof ending === 'object') void finish(session, ending)
    },

    /** Resolves when mpv has come to rest. */
    async still() {
      const at = await link.restingAt()
      if (session && typeof at === 'number') session.position_ms = session.base_ms + at * 1000
    },

    /** Makes this the session, on a living mpv: one that was given up gets a new chance. */
    async begin(next: Session) {
      drop()
      clearTimeout(idle)
      session = next
      try {
        await link.revive()
      } catch (error) {
        fail(next, (error as Error).message)
        throw error
      }
    },

    /** The next time that sound is ready, or that there is nothing more to wait for. */
    settled: () => settling.promise,

    async close() {
      drop()
      clearTimeout(idle)
      loudness.end()
      await link.close()
      await proxy.close()
    },
  }
}

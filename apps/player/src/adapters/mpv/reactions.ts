import { setTimeout as sleep } from 'node:timers/promises'
import { NoDevice } from '../../ports/audio-output.ts'
import { SILENT } from '../../ports/card.ts'
import type { Announcer } from './announcer.ts'
import type { Signals } from './follower.ts'
import type { Holder } from './holder.ts'
import type { Link } from './link.ts'
import { isNearEnd, isPastEnd, type Session } from './session.ts'

type ReactionDeps = {
  announcer: Announcer
  holder: Holder
  link(): Link
  start(current: Session): Promise<void>
  /** How long a stream that ended is waited for; the last one repeats. */
  backoff_ms: readonly number[]
  /** How long it may stand still. */
  still_ms: number
  /** The driver that was asked for, until mpv says which it has opened. */
  sink: string
}

/** How long a device that was pulled out is waited for. */
const DEVICE_RETRY_MS = 1000
const DEVICE_RETRIES = 60

const RESUMING_MS = 1000
const STUCK = 'no sound device takes what is played'
/** What a device that is stuck may take when it is opened. */
const STUCK_WITHIN_MS = 1000

/** A year: of a file that claims more nobody knows how long it is. */
const BELIEVED_MS = 366 * 86_400_000

function lengthOf({ longest_ms }: Session, told_ms: number): number {
  const length_ms = Math.min(told_ms, longest_ms)
  return length_ms > BELIEVED_MS ? 0 : length_ms
}

/** Makes states and endings of what mpv says about the session. */
export function createReactions({ announcer, holder, link, start, ...deps }: ReactionDeps) {
  const { become, state, countUnderrun } = announcer
  const { current: held, fail, finish } = holder
  let { sink } = deps
  let watch: { of: Session; late: NodeJS.Timeout } | undefined

  function onProperty(current: Session, name: string, value: unknown) {
    const isLive = current.source.kind === 'stream'
    if (name === 'current-ao' && typeof value === 'string') sink = value
    // Paused, it is where `still` and `seek` have found it: this lags behind what is heard.
    if (name === 'time-pos' && typeof value === 'number' && current.started && !current.paused) {
      current.position_ms = current.base_ms + value * 1000
      awaitNext(current)
      if (isNearEnd(current)) void finish(current, { reason: 'eof' })
    }
    // mpv takes what has arrived of a live stream for all of it.
    if (name === 'duration' && typeof value === 'number' && !isLive)
      current.duration_ms = lengthOf(current, value * 1000)
    if (!isLive || current.paused) return
    if (name === 'core-idle' && value === false && current.started) {
      become('playing')
      // While it starved nobody watched it, and it may not move from here.
      awaitNext(current)
    }
    if (name === 'paused-for-cache' && value === true) interrupted()
  }

  /** mpv does not say that it stands still: nothing more can be read of a file, or its device takes nothing. */
  function awaitNext(current: Session): unknown {
    if (watch?.of === current) return watch.late.refresh()
    clearTimeout(watch?.late)
    watch = { of: current, late: setTimeout(giveUp, deps.still_ms, current).unref() }
  }

  async function giveUp(current: Session) {
    const { position_ms } = current
    const isLive = current.source.kind === 'stream'
    // A station that sends nothing is connected anew by the relay.
    const isToSound = () => !isLive || state() === 'playing'
    const plays = () => held() === current && current.started && !current.paused && isToSound()
    const stands = () => plays() && current.position_ms === position_ms
    if (!stands()) return
    const isStarving = await link().isStarving()
    if (isStarving && isLive) return
    // Of what was resumed a moment ago mpv has said nothing yet.
    if (!isStarving) await sleep(RESUMING_MS, undefined, { ref: false })
    if (!stands()) return
    if (isStarving) await finish(current, { reason: 'lost', error: SILENT })
    else if (isStuckAgain(current)) await finish(current, { reason: 'lost', error: STUCK })
    // Another mpv opens the device anew.
    current.stuckAt_ms = current.position_ms
    link().kill()
  }

  const isStuckAgain = ({ stuckAt_ms, position_ms }: Session) =>
    stuckAt_ms !== undefined && Math.abs(position_ms - stuckAt_ms) < STUCK_WITHIN_MS

  function interrupted() {
    if (state() === 'playing') countUnderrun()
    if (state() !== 'paused') become('buffering')
  }

  async function onStarted(current: Session) {
    current.started = true
    current.failures = 0
    holder.settle()
    current.sounding.resolve()
    current.relay?.sounds()
    if (current.source.kind === 'stream') current.heard = true
    else if (current.heard) await onSoundAgain(current)
    else await onFirstSound(current)
  }

  /** After a seek, or mpv or its device is back: mpv says it plays even when none could be opened. */
  async function onSoundAgain(current: Session) {
    if (current.deviceTries > 0) {
      if ((await link().device()) === undefined || held() !== current) return
      current.deviceTries = 0
    }
    // At once: its end may be told in the same breath, and is the last word then.
    become(current.paused ? 'paused' : 'playing')
  }

  async function onFirstSound(current: Session) {
    const { isSilent, device, duration_ms } = await link().findings()
    if (held() !== current || !link().isAlive()) return
    current.duration_ms ||= lengthOf(current, duration_ms)
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
    const pause_ms = deps.backoff_ms[Math.min(current.failures, deps.backoff_ms.length - 1)]
    current.failures += 1
    await startAfter(current, pause_ms)
  }

  /** The device is gone, a USB plug or the screen behind HDMI: it is tried again where it was. */
  async function awaitDevice(current: Session, error: string) {
    current.started = false
    current.deviceTries += 1
    if (current.deviceTries > DEVICE_RETRIES) return void finish(current, { reason: 'lost', error })
    if (!current.paused) become('buffering')
    await startAfter(current, DEVICE_RETRY_MS)
  }

  async function startAfter(current: Session, pause_ms: number | undefined) {
    await sleep(pause_ms, undefined, { signal: current.ending.signal }).catch(() => {})
    if (held() === current) await start(current)
  }

  /** What is said while there is no session is about none. */
  const about = (react: (current: Session) => unknown) => {
    const current = held()
    if (current) react(current)
  }
  const signals: Signals = {
    started: () => about((current) => void onStarted(current)),
    ended: (reason, error) => about((current) => onEnded(current, reason, error)),
    property: (name, value) => about((current) => onProperty(current, name, value)),
    deviceUnderrun() {
      // Without a device the line only tells that a timer of mpv's was late.
      if (state() === 'playing' && sink !== 'null') countUnderrun()
    },
  }
  return { signals, sink: () => sink }
}

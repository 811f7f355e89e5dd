import { stat } from 'node:fs/promises'
import type { AudioSource, LoadOptions } from '../../ports/audio-output.ts'
import { createPatience } from '../patience.ts'
import type { Relay } from './stream-proxy.ts'

/** One source from its load to its end, over as many mpv processes as that takes. */
export type Session = {
  source: AudioSource
  paused: boolean
  /** What has been heard, and where playing goes on when mpv has to load it again. */
  position_ms: number
  /** Where mpv's own count of this load starts. */
  base_ms: number
  duration_ms: number
  /** Of a file that was cut: what mpv takes for its length is that of the whole. */
  longest_ms: number
  /** Where it is to end before its end. */
  until_ms: number | undefined
  /** Time of the file that passes in one of ours. */
  speed: number
  /** Size when it was loaded: a file that shrank did not play to its end. */
  size: number
  /** Sound has come out of this load, or of any load before it. */
  started: boolean
  heard: boolean
  /** Times in a row that the device could not be opened again. */
  deviceTries: number
  /** Where the device took no more sound, the last time it did not. */
  stuckAt_ms: number | undefined
  /** Loads in a row that gave no sound. */
  failures: number
  /** Settled when a file sounds or cannot be played. */
  ready: PromiseWithResolvers<void>
  /** Settled when a stream gives its first sound. */
  sounding: PromiseWithResolvers<void>
  ending: AbortController
  /** What mpv opens: a path, or the address of the stream on the loopback. */
  target: string | undefined
  hls: boolean
  relay: Relay | undefined
  /** Of its first sound. */
  fade_in_ms: number
}

/** A track is told to be over this long before its last sound, so that the next can join it. */
const TAIL_MS = 250
/** So short that it is not heard, and long enough that a cut is not heard as a click. */
const CUT_MS = 10

/** Why a load or a seek came to nothing. */
export const REPLACED = 'another source was loaded or playback was stopped'

const { ask } = createPatience(2)

export type Ending = { reason: 'eof' | 'error' | 'lost'; error?: string }

export function createSession(
  source: AudioSource,
  { position_ms = 0, until_ms, speed = 100, paused = false, fade_in_ms = 0 }: LoadOptions,
): Session {
  const isFile = source.kind === 'file'
  const ready = Promise.withResolvers<void>()
  // Nobody may be waiting any more when it is rejected.
  ready.promise.catch(() => {})
  return {
    source,
    paused,
    position_ms: isFile ? position_ms : 0,
    base_ms: 0,
    duration_ms: 0,
    longest_ms: Number.POSITIVE_INFINITY,
    until_ms: isFile ? until_ms : undefined,
    speed: isFile ? speed / 100 : 1,
    size: 0,
    started: false,
    heard: false,
    deviceTries: 0,
    stuckAt_ms: undefined,
    failures: 0,
    ready,
    sounding: Promise.withResolvers<void>(),
    ending: new AbortController(),
    target: isFile ? source.path : undefined,
    hls: false,
    relay: undefined,
    fade_in_ms,
  }
}

/** How this source is to be loaded, in mpv's options. */
export function loadOptions(session: Session): Record<string, string> {
  const { source, position_ms, until_ms, speed, hls } = session
  if (source.kind === 'file') {
    const fades = fadesOf(session)
    return {
      ...(position_ms > 0 && { start: `${position_ms / 1000}` }),
      ...(until_ms !== undefined && { end: `${until_ms / 1000}` }),
      // Also when it is 1: what is changed while it plays then ends with it.
      speed: `${speed}`,
      ...(fades.length > 0 && { af: `lavfi=[${fades.join(',')}]` }),
    }
  }
  const live = {
    'keep-open': 'no',
    cache: 'yes',
    'cache-secs': '10',
    'cache-pause-initial': 'yes',
  }
  // Segments are opened from a playlist that by now names nothing but the proxy.
  const segments = {
    'access-references': 'yes',
    'demuxer-lavf-o': 'protocol_whitelist=[http,tcp,crypto]',
  }
  return hls ? { ...live, ...segments } : live
}

/** By ear, like mpv's volume; those at a cut are too short to be heard. A stream has no times to count from. */
function fadesOf({ position_ms, until_ms, heard, fade_in_ms }: Session): string[] {
  const isCut = until_ms !== undefined && position_ms > 0
  const rise_ms = heard ? 0 : fade_in_ms || (isCut ? CUT_MS : 0)
  const fade = (type: 'in' | 'out', start_ms: number, duration_ms: number, curve: string) =>
    `afade=type=${type}:start_time=${start_ms / 1000}:duration=${duration_ms / 1000}:curve=${curve}`
  return [
    ...(rise_ms > 0 ? [fade('in', position_ms, rise_ms, fade_in_ms > 0 ? 'cub' : 'tri')] : []),
    ...(until_ms === undefined ? [] : [fade('out', until_ms - CUT_MS, CUT_MS, 'tri')]),
  ]
}

/** Where its last sound is; nowhere in sight while nobody knows how long it is. */
export const endOf = ({ until_ms = Number.POSITIVE_INFINITY, duration_ms }: Session): number =>
  Math.min(until_ms, duration_ms || Number.POSITIVE_INFINITY)

/** How long its last sound is away, in our time. */
const leftOf = (session: Session) =>
  Math.max(0, endOf(session) - session.position_ms) / session.speed

/** How much of it is still to be heard when it is told to be over. */
export const tailOf = (session: Session) =>
  session.duration_ms > 0 ? Math.min(TAIL_MS, leftOf(session)) : 0

export const isNearEnd = (session: Session) =>
  session.source.kind === 'file' && session.heard && !session.paused && leftOf(session) < TAIL_MS

export const isPastEnd = (session: Session) =>
  session.duration_ms > 0 && session.position_ms >= endOf(session)

/** mpv takes every end of a file for its end; one that was cut or pulled out was lost. */
export async function endingOf(session: Session): Promise<Ending> {
  const { source, size, position_ms } = session
  if (source.kind === 'stream' || position_ms > endOf(session) - 1000) return { reason: 'eof' }
  const now = await ask(() => stat(source.path)).catch(() => undefined)
  if (now && now.size >= size) return { reason: 'eof' }
  return { reason: 'lost', error: 'the file went away or became shorter while it was playing' }
}

import { stat } from 'node:fs/promises'
import type { AudioSource, LoadOptions } from '../../ports/audio-output.ts'
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
  /** Size when it was loaded: a file that shrank did not play to its end. */
  size: number
  /** Sound has come out of this load, or of any load before it. */
  started: boolean
  heard: boolean
  /** Times in a row that the device could not be opened again. */
  deviceTries: number
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

/** Why a load or a seek came to nothing. */
export const REPLACED = 'another source was loaded or playback was stopped'

export type Ending = { reason: 'eof' | 'error' | 'lost'; error?: string }

export function createSession(
  source: AudioSource,
  { position_ms = 0, paused = false, fade_in_ms = 0 }: LoadOptions,
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
    size: 0,
    started: false,
    heard: false,
    deviceTries: 0,
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
  const { source, position_ms, hls, heard, fade_in_ms } = session
  const start = position_ms / 1000
  // By ear, like mpv's volume. A stream has no times of its own to count from.
  const fade = `lavfi=[afade=type=in:start_time=${start}:duration=${fade_in_ms / 1000}:curve=cub]`
  if (source.kind === 'file')
    return {
      ...(position_ms > 0 && { start: `${start}` }),
      ...(fade_in_ms > 0 && !heard && { af: fade }),
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

/** mpv takes every end of a file for its end; one that was cut or pulled out was lost. */
export async function endingOf({
  source,
  size,
  position_ms,
  duration_ms,
}: Session): Promise<Ending> {
  if (source.kind === 'stream' || position_ms > duration_ms - 1000) return { reason: 'eof' }
  const now = await stat(source.path).catch(() => undefined)
  if (now && now.size >= size) return { reason: 'eof' }
  return { reason: 'lost', error: 'the file went away or became shorter while it was playing' }
}

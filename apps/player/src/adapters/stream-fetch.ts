import { setTimeout as sleep } from 'node:timers/promises'
import type { Resolve } from '@manara/kit/outgoing/guarded-request'
import { guardedGet, isFinal, type Reply, readText, refused } from './stream/guarded-get.ts'
import { createIcyParser } from './stream/icy.ts'
import { looksLikePlaylist, readPlaylist } from './stream/playlist.ts'

export type StreamPiece =
  /** A connection stands; sound follows from its first byte on. */
  | { type: 'open'; contentType: string }
  /** Not one stream but a playlist of segments, to be fetched one by one. */
  | { type: 'hls'; url: string }
  | { type: 'data'; bytes: Uint8Array }
  | { type: 'title'; title: string }
  /** The connection is gone; the next one is tried without being asked. */
  | { type: 'lost'; error: string }

export type StreamTimings = {
  connect_ms: number
  /** How long a connection may be silent. */
  stall_ms: number
  /** The last one repeats. */
  backoff_ms: readonly number[]
}

export type StreamOptions = {
  signal: AbortSignal
  timings?: Partial<StreamTimings>
  resolve?: Resolve
  /** Waits before the next try; rejects when the signal aborts. */
  pause?(ms: number, signal: AbortSignal): Promise<void>
}

export const DEFAULT_TIMINGS: StreamTimings = {
  connect_ms: 10_000,
  stall_ms: 10_000,
  backoff_ms: [1000, 2000, 4000, 8000, 16_000, 30_000],
}
const MAX_PLAYLISTS = 3
const PLAYLIST_BYTES = 64 * 1024

/**
 * A live stream for as long as it is wanted: whatever breaks is reconnected, since a live stream
 * has no end. Throws only what trying again cannot change: an address that is refused, a 4xx.
 * Nothing is read while the next piece is not asked for, so a full buffer holds the server back.
 */
export async function* fetchStream(
  url: string,
  { signal, timings, resolve, pause = wait }: StreamOptions,
): AsyncGenerator<StreamPiece> {
  const { connect_ms, stall_ms, backoff_ms } = { ...DEFAULT_TIMINGS, ...timings }
  for (let failures = 0; ; failures++) {
    try {
      const get = { signal, timeout_ms: connect_ms, ...(resolve && { resolve }) }
      const found = await findStream(url, get)
      if ('hls' in found) {
        yield { type: 'hls', url: found.hls }
        return
      }
      for await (const piece of pieces(found.reply, stall_ms)) {
        if (piece.type === 'data') failures = 0
        yield piece
      }
      yield { type: 'lost', error: 'the station ended the connection' }
    } catch (error) {
      signal.throwIfAborted()
      if (isFinal(error) || isCertificateError(error)) throw error
      yield { type: 'lost', error: (error as Error).message }
    }
    await pause(backoff_ms[Math.min(failures, backoff_ms.length - 1)] ?? 0, signal)
  }
}

const wait = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal })

type Get = Parameters<typeof guardedGet>[1]

/** Follows M3U and PLS files to the stream that they name. */
export async function findStream(
  url: string,
  get: Get,
): Promise<{ reply: Reply } | { hls: string }> {
  let next = url
  for (let depth = 0; depth <= MAX_PLAYLISTS; depth++) {
    const reply = await guardedGet(next, { ...get, headers: { 'icy-metadata': '1' } })
    if (reply.status !== 200) {
      reply.body.destroy()
      const reason = `the station answered ${reply.status}`
      throw reply.status >= 400 && reply.status < 500 ? refused(reason) : new Error(reason)
    }
    if (!looksLikePlaylist(contentType(reply), reply.url)) return { reply }
    const playlist = readPlaylist(await readText(reply, PLAYLIST_BYTES), reply.url)
    if (playlist.kind === 'hls') return { hls: reply.url }
    next = playlist.url
  }
  throw refused('playlists that only lead to playlists')
}

const contentType = (reply: Reply) => reply.headers['content-type'] ?? ''

async function* pieces(reply: Reply, stall_ms: number): AsyncGenerator<StreamPiece> {
  yield { type: 'open', contentType: contentType(reply) }
  const interval = Number(reply.headers['icy-metaint'] ?? 0)
  const parse = interval > 0 ? createIcyParser(interval) : undefined
  const chunks: AsyncIterator<Buffer> = reply.body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const stalled = () => reply.body.destroy(new Error(`nothing came for ${stall_ms / 1000} s`))
      const timer = setTimeout(stalled, stall_ms)
      const { value, done } = await chunks.next().finally(() => clearTimeout(timer))
      if (done) return
      if (parse) yield* parse(value)
      else yield { type: 'data', bytes: value }
    }
  } finally {
    reply.body.destroy()
  }
}

/** Wrong now and in a minute. A date outside its range is not: the clock may not be set yet. */
function isCertificateError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'CERT_NOT_YET_VALID' || code === 'CERT_HAS_EXPIRED') return false
  return /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)
}

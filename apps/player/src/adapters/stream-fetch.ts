import { setTimeout as sleep } from 'node:timers/promises'
import type { Resolve } from '@manara/kit/outgoing/guarded-request'
import { contentType, findStream, isAnswer, noPast, type Past } from './stream/find-stream.ts'
import { isFinal, type Reply, refused, withoutStall } from './stream/guarded-get.ts'
import { createIcyParser, type IcyPiece } from './stream/icy.ts'

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
  /** How long a connection may send what nobody can decode, or too little of it to be heard. */
  undecoded_ms: number
  /** The last one repeats. */
  backoff_ms: readonly number[]
}

export type StreamOptions = {
  signal: AbortSignal
  timings?: Partial<StreamTimings>
  resolve?: Resolve
  /** Waits before the next try; rejects when the signal aborts. */
  pause?(ms: number, signal: AbortSignal): Promise<void>
  /** Whether sound has been decoded since the last `open`; without it all that comes is taken for sound. */
  isHeard?(): boolean
  /** Whether whoever listens waits for more. */
  isStarving?(): boolean
  /** What was found out before, when this is not the first connection. */
  past?: Past
}

export const DEFAULT_TIMINGS: StreamTimings = {
  connect_ms: 10_000,
  stall_ms: 10_000,
  undecoded_ms: 20_000,
  backoff_ms: [1000, 2000, 4000, 8000, 16_000, 30_000],
}
/** Headers and a second of any sound are shorter. */
const UNDECODED_BYTES = 1024 * 1024
/** Of any sound, more comes in the time that is given it. */
const LITTLE_BYTES = 16 * 1024
export const UNDECODED_TRIES = 3
const TITLE_MS = 1000

/**
 * A live stream for as long as it is wanted: whatever breaks is reconnected, since a live stream
 * has no end, and the entries of a playlist are tried in turn. Throws only what trying again cannot
 * change: an address that is refused, a 4xx, and what a few connections in a row have sent without
 * any sound in it, or so slowly that nobody can listen to it. A server says 404 too while the studio is
 * away: of a station that was heard, all this is believed when the pauses grow no more. Whoever cannot
 * decode what comes says why with `throw` of the generator.
 * Nothing is read while the next piece is not asked for, so a full buffer holds the server back.
 */
export async function* fetchStream(
  url: string,
  { signal, timings, resolve, pause = wait, past = noPast(), ...listener }: StreamOptions,
): AsyncGenerator<StreamPiece> {
  const { isHeard = () => true, isStarving = () => false } = listener
  const { connect_ms, stall_ms, undecoded_ms, backoff_ms } = { ...DEFAULT_TIMINGS, ...timings }
  let failures = 0
  let wasHeard = false
  const mayRecover = () => wasHeard && failures < backoff_ms.length
  function sounded() {
    failures = 0
    wasHeard = true
    past.undecoded = 0
  }
  for (;;) {
    let bytes = 0
    let drips = false
    let reason = 'the station ended the connection'
    try {
      const get = { signal, timeout_ms: connect_ms, ...(resolve && { resolve }) }
      const found = await findStream(url, get, { stall_ms, past })
      if ('hls' in found) {
        yield { type: 'hls', url: found.hls }
        return
      }
      let fedAt = performance.now()
      for await (const piece of pieces(found.reply, stall_ms)) {
        if (piece.type === 'data') bytes += piece.bytes.length
        if (bytes > 0 && isHeard() && !isStarving()) {
          fedAt = performance.now()
          sounded()
        }
        const isLong = performance.now() - fedAt > undecoded_ms
        drips = isLong && (isHeard() || bytes < LITTLE_BYTES)
        if (drips) throw new Error('too little comes to be heard')
        if ((isLong || bytes > UNDECODED_BYTES) && !isHeard())
          throw new Error('what comes is no sound')
        yield piece
      }
    } catch (error) {
      signal.throwIfAborted()
      const isBelieved = !(isAnswer(error) && mayRecover())
      if ((isFinal(error) && isBelieved) || isCertificateError(error)) throw error
      reason = (error as Error).message
    }
    if (bytes > 0 && isHeard() && !drips) sounded()
    else if (bytes > 0 && !mayRecover()) countUndecoded(past, reason)
    yield { type: 'lost', error: reason }
    await pause(backoff_ms[Math.min(failures, backoff_ms.length - 1)] ?? 0, signal)
    failures += 1
  }
}

/** Bytes came and nobody could listen to them: the next entry may be better, until all have had a chance. */
function countUndecoded(past: Past, reason: string) {
  past.undecoded += 1
  past.entry += 1
  if (past.undecoded >= Math.max(UNDECODED_TRIES, past.entries)) throw refused(reason)
}

const wait = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal })

async function* pieces(reply: Reply, stall_ms: number): AsyncGenerator<StreamPiece> {
  yield { type: 'open', contentType: contentType(reply) }
  const interval = Number(reply.headers['icy-metaint'] ?? 0)
  const parse = interval > 0 ? createIcyParser(interval) : undefined
  const newTitle = createTitles()
  for await (const bytes of withoutStall(reply.body, stall_ms)) {
    const found: IcyPiece[] = parse?.(bytes) ?? [{ type: 'data', bytes }]
    for (const piece of found) {
      if (piece.type === 'data') yield piece
      const title = newTitle(piece)
      if (title !== undefined) yield { type: 'title', title }
    }
  }
}

/**
 * The newest title, if it is another. A station may send one with every byte of sound, and each would
 * be told to everyone: one a second is as many as anybody reads.
 */
function createTitles() {
  let newest: string | undefined
  let told: string | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  return (piece: IcyPiece): string | undefined => {
    if (piece.type === 'title') newest = piece.title
    if (newest === told || performance.now() - toldAt < TITLE_MS) return undefined
    told = newest
    toldAt = performance.now()
    return told
  }
}

/** Wrong now and in a minute. A date outside its range is not: the clock may not be set yet. */
function isCertificateError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'CERT_NOT_YET_VALID' || code === 'CERT_HAS_EXPIRED') return false
  return /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { noPast } from '../stream/find-stream.ts'
import {
  fetchStream,
  type StreamPiece,
  type StreamTimings,
  UNDECODED_TRIES,
} from '../stream-fetch.ts'
import { serveHls } from './hls-proxy.ts'

export type Relay = {
  /** What mpv is to open. */
  local: string
  hls: boolean
  /** mpv has made sound of what this connection sends. */
  sounds(): void
  /** mpv cannot make sound of it. True when enough has been tried. */
  isHopeless(): boolean
}

export type RelayEvents = {
  title(title: string): void
  /** Whether mpv waits for more than what has come. */
  isStarving(): boolean
  /** Trying again cannot help. */
  failed(error: Error): void
}

/** A connection that comes back can go on in the middle of these; others need their headers again. */
const SELF_SYNCHRONISING = /^audio\/(mpeg|mp3|aac|aacp|x-aac)/i

/**
 * mpv follows redirects and playlists without asking, so it only ever talks to this server on the
 * loopback, and everything comes through the guarded fetch. The path is a secret of the two.
 */
export async function startStreamProxy({ timings }: { timings?: Partial<StreamTimings> }) {
  const secret = randomBytes(16).toString('hex')
  const offers = new Map<string, (response: ServerResponse) => Promise<void>>()
  let relays = 0

  const server = createServer(async (request, response) => {
    const [, given, name = '', ...rest] = (request.url ?? '').split('/')
    const offer = given === secret ? offers.get(name) : undefined
    try {
      if (offer) await offer(response)
      else if (given === secret && name === 'hls')
        await serveHls(rest[0] ?? '', response, `${base}/hls`)
      else response.writeHead(404).end()
    } catch {
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`

  /** Connects to the station and resolves when it answers; until then `events` tell of failure. */
  async function open(url: string, signal: AbortSignal, events: RelayEvents): Promise<Relay> {
    const past = noPast()
    let isHeard = false
    let hasSent = false
    let undecodedBefore = 0
    const connect = () => {
      isHeard = false
      hasSent = false
      undecodedBefore = past.undecoded
      return fetchStream(url, {
        ...{ signal, past, isHeard: () => isHeard, isStarving: events.isStarving },
        ...(timings && { timings }),
      })
    }
    const judged = {
      sounds() {
        isHeard = true
        past.undecoded = 0
      },
      isHopeless() {
        // A station that sent nothing may have something to send another time.
        if (!hasSent) return false
        // Unless the fetch has seen the end of it and counted it already.
        if (past.undecoded === undecodedBefore) {
          past.undecoded += 1
          past.entry += 1
        }
        return past.undecoded >= Math.max(UNDECODED_TRIES, past.entries)
      },
    }
    const stream = connect()
    const first = await untilOpen(stream)
    // Its pieces do not pass here.
    hasSent = first.type === 'hls'
    if (first.type === 'hls')
      return { ...judged, hls: true, local: `${base}/hls/${hlsName(first.url)}` }
    const name = `${++relays}`
    let ready: { stream: AsyncGenerator<StreamPiece>; contentType: string } | undefined = {
      stream,
      contentType: first.contentType,
    }
    offers.set(name, async (response) => {
      // The connection that was made to find out what it is serves first; a second request of mpv
      // (after a crash, or to start over) makes its own.
      const fresh = ready ?? (await reconnect(connect()))
      ready = undefined
      await relay(fresh, response, {
        ...{ ...events, isHeard: () => isHeard },
        sent: () => {
          hasSent = true
        },
      })
    })
    signal.addEventListener('abort', () => offers.delete(name), { once: true })
    return { ...judged, hls: false, local: `${base}/${name}` }
  }

  return {
    open,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const hlsName = (url: string) => `${Buffer.from(url).toString('base64url')}/index.m3u8`

async function untilOpen(stream: AsyncGenerator<StreamPiece>) {
  for await (const piece of keepOpen(stream))
    if (piece.type === 'open' || piece.type === 'hls') return piece
  throw new Error('the stream is over')
}

/** `for await` would end the generator on the way out. */
const keepOpen = (stream: AsyncGenerator<StreamPiece>): AsyncIterable<StreamPiece> => ({
  [Symbol.asyncIterator]: () => ({ next: () => stream.next() }),
})

async function reconnect(stream: AsyncGenerator<StreamPiece>) {
  const piece = await untilOpen(stream)
  return { stream, contentType: piece.type === 'open' ? piece.contentType : '' }
}

async function relay(
  { stream, contentType }: { stream: AsyncGenerator<StreamPiece>; contentType: string },
  response: ServerResponse,
  events: RelayEvents & { isHeard(): boolean; sent(): void },
) {
  response.writeHead(200, { 'content-type': contentType || 'application/octet-stream' })
  response.flushHeaders()
  const gone = once(response, 'close')
  try {
    for await (const piece of stream) {
      if (response.destroyed) return
      if (piece.type === 'title') events.title(piece.title)
      // Sound does not join what was none, nor can it go on in the middle of every kind.
      const joins = (type: string) => events.isHeard() && SELF_SYNCHRONISING.test(type)
      if (piece.type === 'open' && !joins(piece.contentType)) return
      if (piece.type === 'data') events.sent()
      if (piece.type === 'data' && !response.write(piece.bytes))
        await Promise.race([once(response, 'drain'), gone])
    }
  } catch (error) {
    events.failed(error as Error)
  } finally {
    response.end()
  }
}

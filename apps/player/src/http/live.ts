import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EventBus } from '@manara/kit/event-bus'
import type { PlayerEvents, Snapshot } from '@manara/player-contract/events'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../ports/clock.ts'
import { createSubscriber } from './subscriber.ts'

const PATHS = new Set(['/ws', '/api/ws'])
// A box on a wall serves a family or a school; beyond this somebody is testing its patience.
const MAX_CLIENTS = 500
const HEARTBEAT_MS = 30_000

export type LiveDeps = {
  events: EventBus<PlayerEvents>
  clock: Clock
  snapshot(): Snapshot
  onError(error: unknown): void
}

/** State is pushed here: a snapshot to whoever connects, then every event to everyone. */
export function serveLive(server: Server, { events, clock, snapshot, onError }: LiveDeps) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4096, clientTracking: true })
  const subscribers = new Set<ReturnType<typeof createSubscriber>>()

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const path = request.url?.split('?')[0] ?? ''
    if (!PATHS.has(path)) return refuse(stream, '404 Not Found', `no WebSocket at ${path}`)
    if (subscribers.size >= MAX_CLIENTS) {
      return refuse(stream, '429 Too Many Requests', 'too many connections: close another first')
    }
    sockets.handleUpgrade(request, stream, head, welcome)
  })
  // A malformed handshake is answered by the library; without a listener it would be uncaught.
  sockets.on('wsClientError', (_error, stream) => stream.destroy())

  function welcome(socket: WebSocket) {
    const subscriber = createSubscriber(socket, clock)
    subscribers.add(subscriber)
    socket.on('close', () => subscribers.delete(subscriber))
    socket.on('error', () => socket.terminate())
    try {
      subscriber.send('snapshot', encode('snapshot', snapshot()))
    } catch (error) {
      // Thrown here it would end the process; without a snapshot the client has to come again.
      onError(error)
      socket.close(1011, 'no snapshot')
    }
  }

  // Encoded once, however many listen.
  const endEvents = events.onAny(({ event, data }) => {
    const message = encode(event, data)
    for (const subscriber of subscribers) subscriber.send(event, message)
  })
  const endHeartbeat = clock.every(HEARTBEAT_MS, () => {
    for (const subscriber of subscribers) subscriber.checkAlive()
  })

  return {
    clientCount: () => subscribers.size,
    close() {
      endEvents()
      endHeartbeat()
      for (const socket of sockets.clients) {
        socket.close(1001, 'the player stops')
        socket.terminate()
      }
    },
  }
}

const encode = (event: string, data: unknown) => JSON.stringify({ event, data })

function refuse(stream: Duplex, status: string, error: string) {
  const body = JSON.stringify({ error })
  stream.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

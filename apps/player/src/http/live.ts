import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EventBus } from '@manara/kit/event-bus'
import { refuseHttp } from '@manara/kit/hang-up'
import type { PlayerEvents, Snapshot } from '@manara/player-contract/events'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../ports/clock.ts'
import type { ClientAddress } from './client-address.ts'
import type { OriginCheck } from './origin-check.ts'
import { createSubscriber } from './subscriber.ts'

const PATHS = new Set(['/ws', '/api/ws'])
// A box on a wall serves a family or a school; beyond this somebody is testing its patience.
const MAX_CLIENTS = 500
// One address may be a school behind a proxy; it still leaves room for others.
const MAX_FROM_ONE = 128
const HEARTBEAT_MS = 30_000

type Client = { address: string; isDashboard: boolean }

export type LiveDeps = {
  events: EventBus<PlayerEvents>
  clock: Clock
  snapshot(): Snapshot
  originProblem: OriginCheck
  clientAddress: ClientAddress
  onError(error: unknown): void
}

/** State is pushed here: a snapshot to whoever connects, then every event to everyone. */
export function serveLive(server: Server, { events, clock, snapshot, onError, ...deps }: LiveDeps) {
  const sockets = new WebSocketServer({
    ...{ noServer: true, clientTracking: true, maxPayload: 4096 },
    // Answered by the subscriber, who knows how much waits to be read.
    autoPong: false,
  })
  const subscribers = new Map<ReturnType<typeof createSubscriber>, Client>()
  const count = (isCounted: (client: Client) => boolean) =>
    [...subscribers.values()].filter(isCounted).length

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const path = request.url?.split('?')[0] ?? ''
    if (!PATHS.has(path)) return refuse(stream, '404 Not Found', `no WebSocket at ${path}`)
    const problem = deps.originProblem(request.headers)
    if (problem) return refuse(stream, '403 Forbidden', problem)
    const address = deps.clientAddress(request)
    const fromThere = count((client) => client.address === address)
    if (subscribers.size >= MAX_CLIENTS || fromThere >= MAX_FROM_ONE) {
      return refuse(stream, '429 Too Many Requests', 'too many connections: close another first')
    }
    // Only browsers send an origin, and only our own page's has come this far.
    const isDashboard = request.headers.origin !== undefined
    sockets.handleUpgrade(request, stream, head, (socket) =>
      welcome(socket, { address, isDashboard }),
    )
  })
  sockets.on('wsClientError', ({ message }, stream) =>
    refuse(stream, '400 Bad Request', `handshake: ${message}`),
  )

  function welcome(socket: WebSocket, client: Client) {
    const subscriber = createSubscriber(socket, clock)
    subscribers.set(subscriber, client)
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
    for (const subscriber of subscribers.keys()) subscriber.send(event, message)
  })
  const endHeartbeat = clock.every(HEARTBEAT_MS, () => {
    for (const subscriber of subscribers.keys()) subscriber.checkAlive()
  })

  return {
    clientCount: () => subscribers.size,
    /** Pages that somebody has open; programs that only listen are none. */
    dashboardCount: () => count(({ isDashboard }) => isDashboard),
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

const refuse = (stream: Duplex, status: string, error: string) =>
  refuseHttp(stream, status, { error })

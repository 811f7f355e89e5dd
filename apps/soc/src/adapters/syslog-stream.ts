import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type {
  SyslogListener,
  SyslogOptions,
  SyslogPeer,
  SyslogSink,
  SyslogWay,
} from '../ports/syslog.ts'
import { createFrames } from './syslog-frames.ts'

const MOST_CONNECTIONS = 1_000
/** Of one address: a relay has a few, and one sender must not take them all. */
const MOST_OF_ONE = 100
/** A sender that says nothing for so long is taken to be gone. */
const IDLE_MS = 60 * 60_000
const STOP_MS = 500

/** A listener for IPv6 writes IPv4 addresses as such: a sender has one name, whichever it reaches. */
export const plainAddress = (address: string) => address.replace(/^::ffff:/, '')

export const addressOf = (socket: Socket) => plainAddress(socket.remoteAddress ?? '')

/** A connection is read on when what it sent before has found room: a full queue slows senders down. */
export function createSyslogStreams(way: SyslogWay, sink: SyslogSink, options: SyslogOptions) {
  const sockets = new Map<Socket, { address: string; serving: Promise<void> }>()
  /** By address, whether or not a handshake is over. */
  const connections = new Map<Socket, string>()

  /** Those that are closed count as long as what they sent waits for room. */
  function connectionsOf(address: string): number {
    const closed = [...sockets].filter(
      ([socket, one]) => socket.destroyed && one.address === address,
    )
    return closed.length + [...connections.values()].filter((other) => other === address).length
  }

  /** False, and the connection is over, when this address may not have it. */
  function admit(socket: Socket): boolean {
    const address = addressOf(socket)
    socket.on('error', () => {})
    const isOneTooMany = connectionsOf(address) >= MOST_OF_ONE
    if (options.isAllowed(address) && !isOneTooMany) {
      connections.set(socket, address)
      socket.once('close', () => connections.delete(socket))
      return true
    }
    sink.refused(way, address, isOneTooMany ? 'rate_limit' : 'not_allowed')
    socket.destroy()
    return false
  }

  async function serve(socket: Socket, peer: SyslogPeer) {
    const frames = createFrames(options.mostBytes)
    try {
      for await (const chunk of socket) {
        const messages = frames.push(chunk as Buffer)
        if (messages.length > 0) await sink.fromStream(way, messages, peer)
      }
    } catch {
      // The connection broke: what came until then counts.
    }
    const last = frames.end()
    if (last.length > 0) await sink.fromStream(way, last, peer)
  }

  return {
    admit,
    take(socket: Socket, peer: SyslogPeer) {
      socket.setTimeout(IDLE_MS, () => socket.destroy())
      const serving = serve(socket, peer).finally(() => sockets.delete(socket))
      sockets.set(socket, { address: peer.address, serving })
    },
    async listen(server: Server, at: { host: string; port: number }): Promise<SyslogListener> {
      server.maxConnections = MOST_CONNECTIONS
      server.listen(at.port, at.host)
      await once(server, 'listening')
      // Too many open files, for one: those connections fail, the others go on.
      server.on('error', () => {})
      return {
        address: { host: at.host, port: (server.address() as AddressInfo).port },
        async stop() {
          server.close()
          const serving = [...sockets.values()].map((one) => one.serving)
          for (const socket of [...sockets.keys(), ...connections.keys()]) socket.destroy()
          // One that waits for room may wait for ever.
          await Promise.race([Promise.all(serving), pause(STOP_MS, undefined, { ref: false })])
        },
      }
    },
  }
}

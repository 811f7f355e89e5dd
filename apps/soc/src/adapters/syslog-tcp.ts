import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenSyslog } from '../ports/syslog.ts'
import { createFrames } from './syslog-frames.ts'

const MOST_CONNECTIONS = 1_000
/** A sender that says nothing for so long is taken to be gone. */
const IDLE_MS = 60 * 60_000
const STOP_MS = 500

/** A connection is read on when what it sent before has found room: a full queue slows senders down. */
export const openSyslogTcp: OpenSyslog = async (address, sink, { mostBytes }) => {
  const sockets = new Map<Socket, Promise<void>>()

  async function serve(socket: Socket) {
    const peer = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    const frames = createFrames(mostBytes)
    try {
      for await (const chunk of socket) {
        const messages = frames.push(chunk as Buffer)
        if (messages.length > 0) await sink.fromStream(messages, peer)
      }
    } catch {
      // The connection broke: what came until then counts.
    }
    const last = frames.end()
    if (last.length > 0) await sink.fromStream(last, peer)
  }

  const server = createServer((socket) => {
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    socket.on('error', () => {})
    sockets.set(
      socket,
      serve(socket).finally(() => sockets.delete(socket)),
    )
  })
  server.maxConnections = MOST_CONNECTIONS
  server.listen(address.port, address.host)
  await once(server, 'listening')
  // Too many open files, for one: those connections fail, the others go on.
  server.on('error', () => {})
  return {
    address: { host: address.host, port: (server.address() as AddressInfo).port },
    async stop() {
      server.close()
      const serving = [...sockets.values()]
      for (const socket of sockets.keys()) socket.destroy()
      // One that waits for room may wait for ever.
      await Promise.race([Promise.all(serving), pause(STOP_MS, undefined, { ref: false })])
    },
  }
}

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { hostileLines } from './hostile.ts'
import type { Sender } from './sender.ts'

export type Certificate = { ca: string; cert: string; key: string }
export type Ports = { http: number; syslog: number; syslogTls: number; mqtt: number }

/** The service may make a sender wait for its turn, and one that says nothing right for ever. */
const TURN_MS = 10_000
const LEAVE_MS = 200

/** All hostile lines as syslog: datagrams, a plain stream, and one with a certificate. */
export async function fuzzSyslog(sender: Sender, ports: Ports, certificate: Certificate) {
  const datagrams = createSocket('udp4')
  const streams = {
    TCP: connect(ports.syslog, '127.0.0.1'),
    TLS: connectTls({ port: ports.syslogTls, servername: 'localhost', ...certificate }),
  }
  for (const stream of Object.values(streams)) stream.on('error', () => {})
  for (const kind of ['UDP', 'TCP', 'TLS']) sender.reach('syslog', kind, 0)
  await once(streams.TLS, 'secureConnect')
  for (const line of hostileLines()) {
    datagrams.send(line.slice(0, 60_000), ports.syslog, '127.0.0.1')
    sender.reach('syslog', 'UDP')
    const text = line.replaceAll('\n', ' ')
    streams.TCP.write(`${text}\n`)
    sender.reach('syslog', 'TCP')
    // As RFC 5425 frames them: by their length.
    streams.TLS.write(`${Buffer.byteLength(text)} ${text}`)
    sender.reach('syslog', 'TLS')
    sender.countSent(3)
    await pause(10)
  }
  await Promise.all(Object.values(streams).map((stream) => leave(stream, TURN_MS)))
  datagrams.close()
}

const POST = 'POST /_bulk HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n'
const upgradeTo = (protocol: string) =>
  `GET /ws HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: ${protocol}\r\n\r\n`

const BROKEN: [kind: string, bytes: string | Buffer][] = [
  ['no TLS where it is asked for', 'GET / HTTP/1.1\r\n\r\n'],
  ['zeros', Buffer.alloc(100_000)],
  ['a header without an end', `GET /health HTTP/1.1\r\na: ${'b'.repeat(200_000)}`],
  ['many headers', `GET /health HTTP/1.1\r\n${'a: b\r\n'.repeat(20_000)}\r\n`],
  ['a length that is none', 'POST /_bulk HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n'],
  ['chunks without an end', `${POST}${'1\r\na\r\n'.repeat(5_000)}`],
  ['a chunk that is too long', `${POST}FFFFFFFFFFFFFFFF\r\na\r\n`],
  ['an upgrade to a WebSocket', `${upgradeTo('websocket')}\x81\xfe\xff\xff`],
  ['an upgrade to HTTP/2', `${upgradeTo('h2c')}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
]

/** What is not even a request, at every port that listens. */
export async function fuzzConnections(sender: Sender, ports: Ports) {
  for (const [way, port] of Object.entries(ports)) {
    for (const [kind, bytes] of BROKEN) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      socket.write(bytes)
      await leave(socket)
      sender.countSent(1)
      sender.reach('connection', `${way}, ${kind}`)
    }
  }
  await sender.ask('GET', '/health')
}

export async function leave(socket: Socket, mostMs = LEAVE_MS) {
  const ended = once(socket, 'close').catch(() => {})
  socket.end()
  await Promise.race([ended, pause(mostMs, undefined, { ref: false })])
  socket.destroy()
}

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer, type TLSSocket } from 'node:tls'
import type { BrokerRefusal } from '../../ports/device-broker.ts'
import { boundedLine } from './bounded-line.ts'
import { createNewcomers } from './newcomers.ts'

export type DeviceServerOptions = {
  host: string
  port: number
  tls: { key: string; cert: string; ca: string }
  /** The network that an address belongs to. */
  networkOf(address: string): string
  onRefused(reason: BrokerRefusal): void
  onLine(line: Duplex, socket: TLSSocket): void
  /** For tests. */
  mostNewcomers?: number
}

const MOST_DEVICES = 20_000
/** Of one network: a plant comes back at once after a power cut, through one address. */
const MOST_NEWCOMERS = 250
const HANDSHAKE_MS = 10_000
/**
 * Evidence has some kilobytes, the birth of a gateway with thousands of metrics some hundred. The
 * first packet is of somebody who was not let in yet.
 */
const MOST_PACKET_BYTES = { first: 64 * 1024, later: 1024 * 1024 }

/** Where devices connect: with a certificate, within a time, in packets of a bounded size. */
export async function openDeviceServer(options: DeviceServerOptions) {
  const { onRefused, mostNewcomers: each = MOST_NEWCOMERS } = options
  const newcomers = createNewcomers({ each, networkOf: options.networkOf })
  const server = createServer({
    ...options.tls,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_MS,
  })
  server.maxConnections = MOST_DEVICES
  server.prependListener('connection', (socket) => {
    if (newcomers.come(socket)) return
    onRefused('too_many')
    socket.destroy()
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    // Whoever hangs up, or was refused above, has no certificate to be wrong.
    if (error.code !== 'ECONNRESET') onRefused('no_handshake')
  })
  server.on('secureConnection', (socket) => {
    const line = boundedLine(socket, {
      mostBytes: MOST_PACKET_BYTES,
      onTooLarge: () => onRefused('too_large'),
    })
    options.onLine(line, socket)
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  server.on('error', () => {})

  return {
    port: (server.address() as AddressInfo).port,
    /** It was let in: others from its network may come. */
    letIn: newcomers.isIn,
    /** For connections from now on. */
    renewTls: (tls: DeviceServerOptions['tls']) => server.setSecureContext(tls),
    close: () => void server.close(),
  }
}

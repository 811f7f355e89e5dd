import type { Socket } from 'node:net'
import { createServer, type PeerCertificate } from 'node:tls'
import { StartError } from '@manara/kit/errors'
import type { OpenSyslog, SyslogTls } from '../ports/syslog.ts'
import { addressOf, createSyslogStreams } from './syslog-stream.ts'

const HANDSHAKE_MS = 10_000

/**
 * RFC 5425: both sides show a certificate. A sender's must be signed by `ca`, and be one of
 * `clients` where any are named, by a name in it or by its fingerprint.
 */
export const openSyslogTls =
  ({ cert, key, ca, clients }: SyslogTls, handshakeMs = HANDSHAKE_MS): OpenSyslog =>
  (address, sink, options) => {
    const way = 'syslog_tls'
    const streams = createSyslogStreams(way, sink, options)
    const allowed = new Set(clients.map(spelled))
    const server = serverOf({ cert, key, ca }, handshakeMs)
    const strangers = new Set<string>()
    server.on('connection', (socket) => {
      if (!streams.admit(socket)) return
      const [place, peer] = [placeOf(socket), addressOf(socket)]
      strangers.add(place)
      socket.once('close', () => {
        if (strangers.delete(place)) sink.refused(way, peer, 'not_allowed')
      })
    })
    // Nobody else ends one whose handshake takes too long.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    server.on('secureConnection', (socket) => {
      strangers.delete(placeOf(socket))
      socket.on('error', () => {})
      const names = namesIn(socket.getPeerCertificate())
      const peer = addressOf(socket)
      if (allowed.size > 0 && !names.some((name) => allowed.has(spelled(name)))) {
        sink.refused(way, peer, 'not_allowed')
        socket.destroy()
        return
      }
      streams.take(socket, { address: peer, client: names[0] })
    })
    return streams.listen(server, address)
  }

function serverOf(files: { cert: string; key: string; ca: string }, handshakeTimeout: number) {
  try {
    return createServer({
      ...files,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      handshakeTimeout,
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(`SOC_SYSLOG_TLS_CERT, _KEY, _CA: do not make a TLS server: ${why}`)
  }
}

/** The same before and after the handshake. */
const placeOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Fingerprints are written with colons or without, in either case. */
const spelled = (name: string) => name.toLowerCase().replaceAll(':', '')

/**
 * As a person calls the sender first: its common name, then its DNS names and its fingerprint. Its
 * other names, as an e-mail address, name no machine: who may have them may not be who may send.
 */
function namesIn({ subject, subjectaltname = '', fingerprint256 }: PeerCertificate): string[] {
  const entries = subjectaltname.replace(QUOTED, '').split(', ')
  const others = entries.flatMap((entry) => (entry.startsWith(DNS) ? entry.slice(DNS.length) : []))
  return [[subject?.CN ?? []].flat(), others, fingerprint256].flat().filter(Boolean)
}

const DNS = 'DNS:'
/** A name with a comma in it, after which anything could stand. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g

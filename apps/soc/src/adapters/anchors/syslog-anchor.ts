import { once } from 'node:events'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import type { Anchor } from '../../ports/anchor.ts'

const PATIENCE_MS = 10_000
// Facility 13 is the log audit, severity 5 a notice (RFC 5424, section 6.2.1).
const PRIORITY = 13 * 8 + 5

/** One RFC 5424 message a head over TCP, framed by its length (RFC 6587). */
export function createSyslogAnchor(to: { host: string | undefined; port: number }): Anchor {
  return {
    name: 'syslog',
    async publish(head) {
      const message = `<${PRIORITY}>1 ${head.at} ${hostname()} soc ${process.pid} anchor - ${JSON.stringify(head)}`
      const socket = connect(to.port, to.host ?? '127.0.0.1')
      try {
        socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('syslog: no answer in time')))
        await once(socket, 'connect')
        socket.end(`${Buffer.byteLength(message)} ${message}`)
        await once(socket, 'finish')
        return undefined
      } finally {
        socket.destroySoon()
      }
    },
  }
}

import { createServer } from 'node:net'
import type { OpenSyslog } from '../ports/syslog.ts'
import { addressOf, createSyslogStreams } from './syslog-stream.ts'

/** RFC 6587: nobody proves who they are; the address is what there is to go by. */
export const openSyslogTcp: OpenSyslog = (address, sink, options) => {
  const streams = createSyslogStreams('syslog_tcp', sink, options)
  const server = createServer((socket) => {
    if (streams.admit(socket)) streams.take(socket, { address: addressOf(socket) })
  })
  return streams.listen(server, address)
}

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { OpenSyslog } from '../ports/syslog.ts'
import { decode } from './syslog-frames.ts'
import { plainAddress } from './syslog-stream.ts'

// What the kernel keeps while we are busy; it gives as much of it as its own limit allows.
const RECEIVE_BUFFER = 8 * 1024 * 1024

/** Datagrams of one turn of the event loop are handed over together. */
export const openSyslogUdp: OpenSyslog = async (address, sink, { mostBytes, isAllowed }) => {
  const socket = createSocket({
    type: isIPv6(address.host) ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER,
  })
  let waiting: { text: string; peer: string }[] = []

  function handOver() {
    const messages = waiting
    waiting = []
    sink.fromDatagrams(messages)
  }

  socket.on('message', (bytes, from) => {
    if (bytes.length === 0) return
    const peer = plainAddress(from.address)
    if (!isAllowed(peer)) return sink.refused('syslog_udp', peer, 'not_allowed')
    if (waiting.length === 0) setImmediate(handOver)
    waiting.push({ text: decode(bytes.subarray(0, mostBytes)), peer })
  })
  socket.bind(address.port, address.host)
  await once(socket, 'listening')
  socket.on('error', () => {})
  return {
    address: { host: address.host, port: socket.address().port },
    async stop() {
      socket.close()
      handOver()
    },
  }
}

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { OpenSyslog } from '../ports/syslog.ts'
import { testAuthority } from '../testing/test-authority.ts'
import { until } from '../testing/until.ts'
import { openSyslogTls } from './syslog-tls.ts'
import { openSyslogUdp } from './syslog-udp.ts'

/** A listener, with who sent to it and who was refused. */
async function listening(
  t: TestContext,
  open: OpenSyslog,
  { host = '127.0.0.1', isEveryoneAllowed = true } = {},
) {
  const senders: string[] = []
  const refused: string[] = []
  const sink = {
    fromStream: async () => {},
    fromDatagrams: (messages: { peer: string }[]) =>
      void senders.push(...messages.map(({ peer }) => peer)),
    refused: (_way: string, address: string, reason: string) =>
      void refused.push(`${reason} ${address}`),
  }
  const listener = await open({ host, port: 0 }, sink, {
    mostBytes: 1_000,
    isAllowed: () => isEveryoneAllowed,
  })
  t.after(() => listener.stop())
  return { port: listener.address.port, senders, refused }
}

async function tls(handshakeMs?: number) {
  const authority = await testAuthority('senders')
  const server = await authority.issue('soc.example')
  return openSyslogTls({ ...server, ca: authority.ca, clients: [] }, handshakeMs)
}

/** Somebody who connects and says nothing. */
function dumb(t: TestContext, port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
  })
  return () => isClosed
}

test('TLS: who connects and shows no certificate is gone after a while', async (t) => {
  const { port, refused } = await listening(t, await tls(20))
  const isClosed = dumb(t, port)
  await until('the connection is over', () => isClosed() && refused.length > 0)
  assert.deepEqual(refused, ['not_allowed 127.0.0.1'])
})

test('TLS: connections of one address count before their handshake, too', async (t) => {
  const { port, refused } = await listening(t, await tls())
  const closed = Array.from({ length: 101 }, () => dumb(t, port))
  await until('one was too many', () => closed.some((isClosed) => isClosed()))
  assert.deepEqual(refused, ['rate_limit 127.0.0.1'])
})

test('TLS: who may not send is counted once', async (t) => {
  const { port, refused } = await listening(t, await tls(), { isEveryoneAllowed: false })
  const isClosed = dumb(t, port)
  await until('the connection is over', () => isClosed() && refused.length > 0)
  assert.deepEqual(refused, ['not_allowed 127.0.0.1'])
})

test('a sender has one name, whether it reaches a listener for IPv4 or for IPv6', async (t) => {
  const { port, senders } = await listening(t, openSyslogUdp, { host: '::' })
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  await until('it came', () => {
    socket.send('<13>hello', port, '127.0.0.1')
    return senders.length > 0
  })
  assert.equal(senders[0], '127.0.0.1')
})

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { connect as connectPlain } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import type { SiemStats } from '@manara/soc-contract/siem-ingest'
import { logsOf } from '../../../../testing/log-sender.ts'
import { testAuthority } from '../../../../testing/test-authority.ts'
import { startTestSoc, type TestSoc } from '../../../../testing/test-soc.ts'
import { until } from '../../../../testing/until.ts'

const HERE = { host: '127.0.0.1', port: 0 }

async function stats(soc: TestSoc): Promise<SiemStats> {
  return (await soc.call('GET', '/siem/stats', { as: await soc.signIn() })).body
}

const refusals = async (soc: TestSoc, way: string) =>
  (await stats(soc)).ways.find((one) => one.way === way)?.refused_by_reason ?? {}

async function listeningWithTls(t: TestContext, clients: string[] = []) {
  const authority = await testAuthority('senders')
  const server = await authority.issue('soc.example')
  const soc = await startTestSoc(t, {
    ingest: { syslogTls: { address: HERE, ...server, ca: authority.ca, clients } },
  })
  const { tls } = await soc.listenSyslog()
  const secure = (options: ConnectionOptions) =>
    connect({ port: tls?.port ?? 0, ca: authority.ca, servername: 'soc.example', ...options })
  return { soc, authority, secure }
}

test('syslog over TLS takes messages of senders with a certificate, and keeps its name', async (t) => {
  const { soc, authority, secure } = await listeningWithTls(t)
  const socket = secure(await authority.issue('firewall-1.example'))
  const message = '<13>1 2026-01-02T03:04:05Z fw1 app - - - over TLS'
  socket.end(`${message.length} ${message}`)
  await until('it is stored', async () => (await logsOf(soc)).length === 1)
  const [log] = await logsOf(soc)
  assert.partialDeepStrictEqual(log, {
    message: 'over TLS',
    host: 'fw1',
    fields: { syslog: { client: 'firewall-1.example' } },
  })
})

test('syslog over TLS refuses senders without a certificate, of another authority, or not named', async (t) => {
  const { soc, authority, secure } = await listeningWithTls(t, ['relay.example'])
  const stranger = await testAuthority('strangers')
  const attempts: ConnectionOptions[] = [
    {},
    await stranger.issue('relay.example'),
    await authority.issue('somebody.example'),
    // Names of a certificate that are no machine's.
    await authority.issue('mail', [{ type: 'email', value: 'relay.example' }]),
    await authority.issue('web', [{ type: 'url', value: 'relay.example' }]),
    await authority.issue('both', [{ type: 'url', value: 'a, DNS:relay.example, b' }]),
    { ...(await authority.issue('relay.example')), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' },
  ]
  for (const attempt of attempts) {
    const socket = secure(attempt)
    socket.on('error', () => {})
    socket.write('<13>not for you\n')
    await new Promise((resolve) => socket.on('close', resolve))
  }
  await until('all are counted', async () => {
    return ((await refusals(soc, 'syslog_tls')).not_allowed ?? 0) >= attempts.length
  })
  const names = [{ type: 'dns', value: 'other.example' } as const]
  for (const named of [
    await authority.issue('relay.example'),
    await authority.issue('relay', [...names, { type: 'dns', value: 'relay.example' }]),
  ]) {
    secure(named).end('<13>for you\n')
  }
  await until('both are stored', async () => (await logsOf(soc)).length === 2)
  assert.deepEqual(
    (await logsOf(soc)).map(({ message }) => message),
    ['for you', 'for you'],
  )
})

test('plain syslog is taken from the networks in SOC_SYSLOG_ALLOW alone, and the others are counted', async (t) => {
  const soc = await startTestSoc(t, {
    ingest: { syslogUdp: HERE, syslogTcp: HERE, syslogAllow: ['192.0.2.0/24', '2001:db8::1'] },
  })
  const { udp, tcp } = await soc.listenSyslog()
  const socket = connectPlain(tcp?.port ?? 0, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.on('close', resolve))
  const datagrams = createSocket('udp4')
  t.after(() => datagrams.close())
  await until('both were refused', async () => {
    datagrams.send('<13>x', udp?.port)
    const all = await Promise.all(['syslog_udp', 'syslog_tcp'].map((way) => refusals(soc, way)))
    return all.every(({ not_allowed = 0 }) => not_allowed > 0)
  })
  assert.deepEqual(await logsOf(soc), [])
})

test('a sender of plain syslog beyond its budget is dropped and counted, by address', async (t) => {
  const soc = await startTestSoc(t, { ingest: { syslogUdp: HERE, syslogPerMinute: 5 } })
  const { udp } = await soc.listenSyslog()
  const datagrams = createSocket('udp4')
  t.after(() => datagrams.close())
  // One after the other: what is still being read when the line is crossed is taken, too.
  for (let taken = 1; taken <= 5; taken += 1) {
    datagrams.send('<13>again', udp?.port)
    await until('it is stored', async () => (await stats(soc)).senders[0]?.events === taken)
  }
  await until('some were dropped', async () => {
    datagrams.send('<13>again', udp?.port)
    return ((await refusals(soc, 'syslog_udp')).rate_limit ?? 0) > 0
  })
  const { senders } = await stats(soc)
  assert.partialDeepStrictEqual(senders, [{ sender: '127.0.0.1', way: 'syslog_udp', events: 5 }])
})

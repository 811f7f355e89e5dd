import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { unavailable } from '@manara/kit/errors'
import { Aedes } from 'aedes'
import { connectAsync } from 'mqtt'
import type { Authority } from '../features/cps/authority/authority.ts'
import { issueRoot, validFor } from '../features/cps/authority/issue.ts'
import {
  clientCertificate,
  serverCertificate,
} from '../features/cps/authority/server-certificate.ts'
import { P256, toPem } from '../features/cps/authority/x509.ts'
import { silentLog } from '../testing/test-postgres.ts'
import { until } from '../testing/until.ts'
import { openExternalBroker } from './external-broker.ts'

const nothing = async () => {}

/** As the only process. */
function always(begin: () => Promise<() => Promise<void>>) {
  const begun = begin()
  return { stop: async () => (await begun)() }
}

async function beside(
  t: TestContext,
  onEvidence: (device: string) => Promise<void>,
  publishRevocations = async () => {},
  before: (url: string) => Promise<void> = async () => {},
) {
  const aedes = await Aedes.createBroker()
  const server = createServer((socket) => void aedes.handle(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const isListening = new Promise((resolve) => aedes.once('subscribe', resolve))
  await before(url)
  const broker = await openExternalBroker({
    ...{ url, credentials: async () => ({}), log: silentLog, inTurn: always },
    events: { onEvidence, onSparkplug: async () => {} },
    ...{ onBegin: nothing, onTaken: nothing, onReconnected: nothing },
    isTemporary: (error) => (error as { status?: number }).status === 503,
    ...{ publishRevocations, standInFor: async () => ({}) },
  })
  await isListening
  const devices = await connectAsync(url)
  t.after(async () => {
    await broker.stop()
    await devices.endAsync(true)
    server.close()
    await new Promise<void>((resolve) => aedes.close(resolve))
  })
  let acknowledged = 0
  aedes.on('ack', () => {
    acknowledged += 1
  })
  const say = (device: string) =>
    devices.publishAsync(`devices/${device}/attestation`, 'anything', { qos: 1 })
  return { url, broker, devices, say, acknowledged: () => acknowledged }
}

test('an answer that cannot be stored for a while is stored afterwards, and the others behind it', async (t) => {
  const stored: string[] = []
  let failures = 2
  const { say, acknowledged } = await beside(t, async (device) => {
    failures -= 1
    if (failures >= 0) throw unavailable('the database is away')
    stored.push(device)
  })
  await say('a')
  await say('b')
  await until('both', () => stored.length === 2)
  assert.deepEqual(stored, ['a', 'b'])
  await until('both are acknowledged', () => acknowledged() === 2)
})

test('an answer that can never be stored is left alone and not asked for again', async (t) => {
  const stored: string[] = []
  const { say, acknowledged } = await beside(t, async (device) => {
    if (device === 'poison') throw new Error('invalid byte sequence')
    stored.push(device)
  })
  await say('poison')
  await say('b')
  await until('both are acknowledged', () => acknowledged() === 2)
  assert.deepEqual(stored, ['b'])
})

test('what a broker has retained from before is no answer, and what is too large is not read', async (t) => {
  const stored: string[] = []
  const keep = async (url: string) => {
    const early = await connectAsync(url)
    await early.publishAsync('devices/kept/attestation', 'an old one', { qos: 1, retain: true })
    await early.endAsync()
  }
  const store = async (device: string) => void stored.push(device)
  const { devices, say } = await beside(t, store, undefined, keep)
  const large = Buffer.alloc(1024 * 1024 + 1)
  await devices.publishAsync('devices/large/attestation', large, { qos: 1 })
  await devices.publishAsync('devices/now/attestation', 'new', { qos: 1, retain: true })
  await say('last')
  await until('the last', () => stored.includes('last'))
  assert.deepEqual(stored, ['now', 'last'])
})

test('a revoked device is pushed out also when the list of revoked ones cannot be written', async (t) => {
  const { url, broker } = await beside(
    t,
    async () => {},
    async () => {
      throw new Error('read-only file system')
    },
  )
  const device = await connectAsync(url, { clientId: 'd1', reconnectPeriod: 0 })
  const closed = new Promise((resolve) => device.once('close', () => resolve('closed')))
  await broker.cut('d1')
  assert.equal(await closed, 'closed')
})

test('a certificate that was renewed is the one of the next connection', async (t) => {
  const keys = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const root = await issueRoot(keys, 'devices', validFor(1, Date.now()))
  const pem = toPem('CERTIFICATE', root.rawData)
  const authority = { issuer: { certificate: root, key: keys.privateKey }, pem } as Authority
  const tls = await serverCertificate(authority, [], Date.now())
  const shown: string[] = []
  const lines: TLSSocket[] = []
  const aedes = await Aedes.createBroker()
  const server = createTlsServer({ ...tls, requestCert: true }, (socket) => {
    shown.push(String(socket.getPeerCertificate().subject.CN))
    lines.push(socket)
    aedes.handle(socket)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  let name = 'first'
  const broker = await openExternalBroker({
    url: `mqtts://localhost:${(server.address() as AddressInfo).port}`,
    credentials: async () => ({
      ...(await clientCertificate(authority, name, 1, Date.now())),
      ca: pem,
    }),
    ...{ log: silentLog, inTurn: always, onBegin: nothing, onTaken: nothing },
    ...{ events: { onEvidence: nothing, onSparkplug: nothing }, onReconnected: nothing },
    ...{ isTemporary: () => false, publishRevocations: nothing, standInFor: async () => ({}) },
  })
  t.after(async () => {
    await broker.stop()
    server.close()
    await new Promise<void>((resolve) => aedes.close(resolve))
  })
  await until('a connection', () => broker.reachable() === 'all')
  name = 'second'
  await broker.renewCredentials()
  lines[0]?.destroy()
  await until('another one', () => shown.length === 2)
  assert.deepEqual(shown, ['first', 'second'])
})

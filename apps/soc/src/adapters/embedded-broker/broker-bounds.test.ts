import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import mqttPacket from 'mqtt-packet'
import type { BrokerEvents } from '../../ports/device-broker.ts'
import { testAuthority } from '../../testing/test-authority.ts'
import { until } from '../../testing/until.ts'
import { type EmbeddedBrokerOptions, openEmbeddedBroker } from '../embedded-broker.ts'

const MB = 1024 * 1024

async function startBroker(t: TestContext, options: Partial<EmbeddedBrokerOptions> = {}) {
  const authority = await testAuthority('Devices')
  const tls = { ...(await authority.issue('localhost')), ca: authority.ca }
  const devices = new Map<string, string>()
  const heard: [device: string, bytes: number][] = []
  const refused: string[] = []
  const ready: string[] = []
  const events: BrokerEvents = {
    async admit(fingerprint) {
      const deviceId = devices.get(fingerprint)
      return deviceId === undefined ? undefined : { deviceId, sparkplugNode: null }
    },
    begin: async () => undefined,
    onReady: ({ deviceId }) => void ready.push(deviceId),
    onGone: ({ deviceId }) => void ready.splice(ready.indexOf(deviceId), 1),
    onTwoSessions: () => {},
    onSubscribed: async () => {},
    onUnsubscribed: async () => {},
    onReceived: async () => {},
    onDelivered: async () => {},
    onEvidence: async (deviceId, payload) => void heard.push([deviceId, payload.length]),
    onSparkplug: async () => {},
    onRefused: (reason) => void refused.push(reason),
  }
  const broker = await openEmbeddedBroker({
    ...{ host: '127.0.0.1', port: 0, tls, events, now: Date.now },
    ...{ networkOf: (address: string) => address, ...options },
  })
  t.after(() => broker.stop())

  async function socketOf(name: string) {
    const own = await authority.issue(name)
    const fingerprint = createHash('sha256').update(new X509Certificate(own.cert).raw).digest('hex')
    const socket = connect({
      ...{ port: broker.port, servername: 'localhost', ca: authority.ca, ...own },
    })
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'secureConnect')
    return { socket, fingerprint, closed: once(socket, 'close') }
  }

  /** A device that was let in. */
  async function device(name: string) {
    const line = await socketOf(name)
    devices.set(line.fingerprint, name)
    line.socket.write(CONNECT)
    await once(line.socket, 'data')
    return {
      ...line,
      publish: (bytes: number) => line.socket.write(messageOf(name, bytes)),
    }
  }
  return { broker, socketOf, device, heard, refused, ready }
}

const CONNECT = mqttPacket.generate({
  ...{ cmd: 'connect', clientId: '', clean: true, keepalive: 0 },
  ...{ protocolId: 'MQTT', protocolVersion: 4 },
})
const messageOf = (device: string, bytes: number) =>
  mqttPacket.generate({
    ...{ cmd: 'publish', topic: `devices/${device}/attestation`, payload: Buffer.alloc(bytes) },
    ...{ qos: 0, dup: false, retain: false },
  })

test('a packet above the limit ends the connection before its body is read, and the others go on', async (t) => {
  const { device, socketOf, heard, refused, ready } = await startBroker(t)
  const good = await device('good')
  const bad = await device('bad')
  // 256 MB in its fixed header: it is over at the fourth byte of its length.
  for (const byte of [0x30, 0xff, 0xff, 0xff]) bad.socket.write(Buffer.from([byte]))
  await bad.closed
  assert.deepEqual(refused, ['too_large'])
  await until('the bad one is gone', () => !ready.includes('bad'))

  const early = await socketOf('not yet let in')
  early.socket.write(Buffer.from([0x10, 0x81, 0x80, 0x04]))
  await early.closed
  assert.deepEqual(refused, ['too_large', 'too_large'])

  good.publish(MB - 100)
  good.publish(3)
  await until('its messages', () => heard.length === 2)
  assert.deepEqual(heard, [
    ['good', MB - 100],
    ['good', 3],
  ])
})

test('a packet that comes byte by byte is taken when it is whole, and holds nobody else up', async (t) => {
  const { device, heard } = await startBroker(t)
  const slow = await device('slow')
  const other = await device('other')
  const packet = messageOf('slow', 20_000)
  for (const [at] of packet.subarray(0, -1).entries()) {
    const isTaken = slow.socket.write(packet.subarray(at, at + 1))
    if (!isTaken) await once(slow.socket, 'drain')
  }
  other.publish(1)
  await until('the other is heard', () => heard.length === 1)
  slow.socket.write(packet.subarray(-1))
  await until('the whole packet', () => heard.length === 2)
  assert.deepEqual(heard, [
    ['other', 1],
    ['slow', 20_000],
  ])
})

test('who has a certificate and says nothing is let go', async (t) => {
  const { socketOf, refused } = await startBroker(t, { connectMs: 20 })
  const { closed } = await socketOf('silent')
  await closed
  assert.deepEqual(refused, ['no_connect'])
})

test('of one address a bounded number waits to be let in; those who are in do not count', async (t) => {
  const { broker, device, socketOf, refused } = await startBroker(t, { mostNewcomers: 2 })
  for (const name of ['a', 'b', 'c']) await device(name)
  const opened = [1, 2].map(() => connectSocket(broker.port, '127.0.0.1'))
  t.after(() => {
    for (const socket of opened) socket.destroy()
  })
  await Promise.all(opened.map((socket) => once(socket, 'connect')))
  const third = connectSocket(broker.port, '127.0.0.1').on('error', () => {})
  await once(third, 'close')
  assert.deepEqual(refused, ['too_many'])
  opened[0]?.destroy()
  await until('there is room again', async () =>
    socketOf('d').then(
      ({ socket }) => !socket.destroyed,
      () => false,
    ),
  )
})

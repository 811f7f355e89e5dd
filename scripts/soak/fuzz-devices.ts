import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { type SimulatedDevice, startDevice } from '../../apps/soc/src/simulated-devices/device.ts'
import { enrolFleet } from '../../apps/soc/src/simulated-devices/enrol-fleet.ts'
import type { Identity } from '../../apps/soc/src/simulated-devices/identity.ts'
import type { SocClient } from '../../apps/soc/src/simulated-devices/soc-client.ts'
import { hostileLines } from './hostile.ts'
import { leave } from './raw-streams.ts'
import type { Sender } from './sender.ts'

const CONNECT = Buffer.from([0x10, 0x0d, 0, 4, ...Buffer.from('MQTT'), 4, 2, 0, 60, 0, 1, 0x61])
const packet = (type: number, ...body: number[]) => Buffer.from([type, body.length, ...body])

/** What no client sends, before and after it is let in. */
const PACKETS: [kind: string, bytes: Buffer][] = [
  ['nothing known', Buffer.alloc(1_000)],
  ['random bytes', randomBytes(10_000)],
  ['a packet of 256 MB that never comes', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])],
  ['a length without an end', Buffer.alloc(100, 0xff)],
  ['a message before it is let in', packet(0x30, 0, 1, 0x61, 0x62)],
  ['let in twice', Buffer.concat([CONNECT, CONNECT])],
  ['asks for no topic', Buffer.concat([CONNECT, packet(0x82, 0, 1)])],
  ['a message to every topic', Buffer.concat([CONNECT, packet(0x32, 0, 1, 0x23, 0, 1, 0x62)])],
  ['answers to nothing', Buffer.concat([CONNECT, packet(0x40, 0, 9), packet(0x62, 0, 9)])],
  ['256 MB when let in', Buffer.concat([CONNECT, Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])])],
  ['random bytes when let in', Buffer.concat([CONNECT, randomBytes(10_000)])],
]

/** Devices with a certificate of the service's own authority that say what devices do not. */
export async function fuzzDevices(sender: Sender, soc: SocClient, port: number) {
  const prefix = `fuzzed ${randomUUID()}`
  const [identity] = await enrolFleet(soc, { count: 1, everySeconds: 60, prefix }, () => {})
  if (!identity) throw new Error('no device was enrolled')
  const address = { host: '127.0.0.1', port }

  const device = startDevice({ identity, address })
  await device.ready
  for (const line of hostileLines()) {
    await say(device, line)
    sender.countSent(1)
    sender.reach('MQTT', 'evidence')
  }
  await device.kill()
  for (const [kind, bytes] of PACKETS) {
    await sendRaw(identity, port, bytes)
    sender.countSent(1)
    sender.reach('MQTT', kind)
  }
  await sender.ask('GET', '/health')
}

/**
 * Without an answer: one that is refused would be sent again without an end. What ends the connection
 * before it was written whole is told by its end alone.
 */
async function say({ client, identity }: SimulatedDevice, line: string) {
  const { evidence_topic } = identity.enrolled.mqtt
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  client.once('close', end)
  await Promise.race([client.publishAsync(evidence_topic, line, { qos: 0 }), ended])
  client.off('close', end)
}

async function sendRaw({ enrolled, keyPem }: Identity, port: number, bytes: Buffer) {
  const socket = connect({
    ...{ port, servername: 'localhost', ca: enrolled.ca, cert: enrolled.certificate, key: keyPem },
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.resume()
  socket.write(bytes)
  await pause(50)
  await leave(socket)
}

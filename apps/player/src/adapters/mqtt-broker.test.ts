import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openDeviceBroker } from './device-broker.ts'
import { createMqttBroker } from './mqtt-broker.ts'

const UNAVAILABLE = Buffer.from([0x20, 2, 0, 3])

/** Opens what is to be kept open; tells what its owner is told. */
type Keep = (url: string, tell: (problem?: string) => void) => Promise<{ close(): Promise<void> }>

const ofTheHouse: Keep = (url, onProblem) =>
  createMqttBroker(
    url,
    'box',
  )({
    will: { topic: 'box/availability', payload: 'offline' },
    subscribe: ['box/command/+'],
    onConnect: () => {},
    onMessage: () => {},
    onProblem,
  })
const ofThePlatform: Keep = (url, onState) =>
  openDeviceBroker({
    ...{ url, clientId: 'box', key: '', cert: '', ca: '', subscribe: 'box/requests' },
    onState,
    onMessage: () => {},
  })

/** As a broker does that has been started together with the box, and does not know its users yet. */
async function refusingBroker(t: TestContext) {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(UNAVAILABLE))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const asked = async () => {
    const [socket] = (await once(server, 'connection')) as [Socket]
    return socket
  }
  return { asked, url: `mqtt://127.0.0.1:${port}` }
}

for (const [whose, keep] of [
  ['the house', ofTheHouse],
  ['the platform', ofThePlatform],
] as const)
  test(`a broker of ${whose} that refuses at first is asked again`, async (t) => {
    const { asked, url } = await refusingBroker(t)
    t.mock.timers.enable({ apis: ['setInterval'] })
    const refused = Promise.withResolvers<string>()
    const first = asked()
    const session = await keep(
      url,
      (problem) => problem?.includes('refused') && refused.resolve(problem),
    )
    t.after(() => session.close())
    await first
    assert.match(await refused.promise, /Connection refused: Server unavailable/)
    const second = asked()
    t.mock.timers.tick(5_000)
    await second
  })

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { Bonjour, type Service } from 'bonjour-service'
import { createMdns } from './mdns.ts'

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

const hasNetwork = Object.values(networkInterfaces())
  .flat()
  .some((one) => one && !one.internal && one.family === 'IPv4')

test('the box is found by its name, and a new name replaces the old one', {
  skip: !hasNetwork && 'there is no network to announce anything in',
}, async (t) => {
  const udpPort = await freeUdpPort()
  const problems: string[] = []
  const mdns = createMdns({
    ...{ port: 8443, tls: true, version: '1.2.3', udpPort },
    onProblem: (problem) => problems.push(problem),
  })
  const seeker = new Bonjour({ port: udpPort } as object, () => {})
  t.after(async () => {
    await mdns.stop()
    seeker.destroy()
  })
  const browser = seeker.find({ type: 'https' })
  const found = (host: string) =>
    new Promise<Service>((resolve) =>
      browser.on('up', (service: Service) => service.host === host && resolve(service)),
    )
  const first = found('minaret.local')
  mdns.announce('minaret')
  const service = await first
  assert.equal(service.port, 8443)
  assert.equal(service.txt.api, '/api')
  assert.equal(service.txt.ver, '1.2.3')
  const second = found('kitchen.local')
  mdns.announce('kitchen')
  await second
  assert.deepEqual(problems, [])
})

test('a port that another program keeps to itself is one problem, and no crash', async (t) => {
  const taken = createSocket('udp4')
  taken.bind(0)
  await once(taken, 'listening')
  t.after(() => taken.close())
  const told = Promise.withResolvers<string>()
  const mdns = createMdns({
    ...{ port: 80, tls: false, version: '1.0.0', udpPort: taken.address().port },
    onProblem: told.resolve,
  })
  mdns.announce('minaret')
  assert.match(await told.promise, /^the name of the box is not announced: .*EADDRINUSE/)
  mdns.announce('kitchen')
  await mdns.stop()
})

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import os, { networkInterfaces } from 'node:os'
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

const addresses = () =>
  Object.values(os.networkInterfaces()).flatMap((found) => (found ?? []).map((one) => one.address))

const hasNetwork = Object.values(networkInterfaces())
  .flat()
  .some((one) => one && !one.internal && one.family === 'IPv4')

test('the box is found by its name, and a new name replaces the old one', {
  skip: !hasNetwork && 'there is no network to announce anything in',
}, async (t) => {
  const udpPort = await freeUdpPort()
  const problems: (string | undefined)[] = []
  const mdns = createMdns({
    ...{ port: 8443, tls: true, version: '1.2.3', udpPort, addresses },
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

test('an address that came after the start is announced too', {
  skip: !hasNetwork && 'there is no network to announce anything in',
}, async (t) => {
  const udpPort = await freeUdpPort()
  const mdns = createMdns({
    ...{ port: 8443, tls: true, version: '1.2.3', udpPort, addresses },
    onProblem: assert.fail,
  })
  const seeker = new Bonjour({ port: udpPort } as object, () => {})
  t.after(async () => {
    await mdns.stop()
    seeker.destroy()
  })
  const browser = seeker.find({ type: 'https' })
  const foundWith = (isWanted: (address: string) => boolean) =>
    new Promise<void>((resolve) =>
      browser.on('up', (service: Service) => service.addresses?.some(isWanted) && resolve()),
    )
  const first = foundWith(() => true)
  mdns.announce('minaret')
  await first
  const before = networkInterfaces()
  const [known] = Object.values(before)
    .flatMap((found) => found ?? [])
    .filter((one) => !one.internal && one.family === 'IPv4')
  const given = '192.168.77.5'
  t.mock.method(os, 'networkInterfaces', () => ({
    ...before,
    wlan7: [{ ...known, address: given }],
  }))
  const second = foundWith((address) => address === given)
  mdns.announce('minaret')
  await second
})

test('a port that another program keeps to itself is one problem, until it lets it go', async (t) => {
  const taken = createSocket('udp4')
  taken.bind(0)
  await once(taken, 'listening')
  const udpPort = taken.address().port
  const told: (string | undefined)[] = []
  const news = new EventEmitter()
  const mdns = createMdns({
    ...{ port: 8443, tls: true, version: '1.0.0', udpPort, addresses },
    onProblem(problem) {
      told.push(problem)
      news.emit('told')
    },
  })
  t.after(() => mdns.stop())
  const first = once(news, 'told')
  mdns.announce('minaret')
  await first
  assert.match(told[0] ?? '', /^the name of the box is not announced: .*EADDRINUSE/)
  taken.close()
  await once(taken, 'close')
  const second = once(news, 'told')
  mdns.announce('minaret')
  await second
  assert.deepEqual(told.slice(1), [undefined])
  if (!hasNetwork) return
  const seeker = new Bonjour({ port: udpPort } as object, () => {})
  t.after(() => seeker.destroy())
  await new Promise((resolve) => seeker.find({ type: 'https' }).on('up', resolve))
})

test('a system that cannot tell its addresses is a problem that is told, and no more', async () => {
  const problems: (string | undefined)[] = []
  const mdns = createMdns({
    ...{ port: 8443, tls: true, version: '1.2.3', udpPort: await freeUdpPort() },
    addresses() {
      throw new Error('too many open files')
    },
    onProblem: (problem) => problems.push(problem),
  })
  mdns.announce('minaret')
  mdns.announce('minaret')
  await mdns.stop()
  assert.deepEqual(problems, ['the name of the box is not announced: too many open files'])
})

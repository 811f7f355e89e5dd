import assert from 'node:assert/strict'
import https from 'node:https'
import { isIP } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { Resolve } from '@manara/kit/outgoing/guarded-request'
import { listen } from '../testing/local-server.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { createUpdateSource } from './update-source.ts'

const at =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: isIP(address) }))

const strict = (resolve: Resolve) => createUpdateSource({ allow: [], limit: 1000, resolve })

for (const address of [
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
  ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00:ec2::254'],
  ...['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::7f00:1', '2002:7f00:1::', 'ff02::1'],
]) {
  test(`no image is pulled from ${address}, by name or by number`, async () => {
    const literal = isIP(address) === 6 ? `[${address}]` : address
    const refusal = /not an address of the open internet/
    const source = strict(at(address))
    await assert.rejects(source.open(`https://${literal}/x`), refusal)
    await assert.rejects(source.open('https://updates.example/x'), refusal)
  })
}

test('numbers in other clothes are the same numbers', async () => {
  for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1']) {
    await assert.rejects(
      strict(at('93.184.216.34')).open(`https://${host}/x`),
      /127\.0\.0\.1 is not an address/,
      host,
    )
  }
})

test('one private address among public ones is enough to refuse', async () => {
  await assert.rejects(
    strict(at('93.184.216.34', '10.0.0.1')).open('https://updates.example/x'),
    /10\.0\.0\.1 is not/,
  )
})

/** An update server on this machine, allowed by name, that sends what a test says. */
async function localServer(t: TestContext, answers: Record<string, Answer>) {
  const pair = selfSigned(['updates.example', 'other.example', '127.0.0.1'])
  const asked: string[] = []
  const server = https.createServer(pair, (request, reply) => {
    asked.push(request.url ?? '')
    const { status = 200, headers = {}, body = '' } = answers[request.url ?? ''] ?? { status: 404 }
    reply.writeHead(status, headers).end(body)
  })
  t.after(() => server.closeAllConnections())
  const port = await listen(t, server)
  return {
    asked,
    url: (route: string, host = 'updates.example') => `https://${host}:${port}${route}`,
    source: (resolve: Resolve = at('127.0.0.1'), allow = ['updates.example']) =>
      createUpdateSource({ allow, ca: pair.cert, limit: 1000, resolve }),
  }
}
type Answer = { status?: number; headers?: Record<string, string>; body?: string }
const to = (location: string): Answer => ({ status: 302, headers: { location } })

test('an allowed server is pulled from, over three redirects', async (t) => {
  const server = await localServer(t, {
    '/1': to('/2'),
    '/2': to('/3'),
    '/3': to('/4'),
    '/4': { body: 'image' },
    '/0': to('/1'),
  })
  const body = await server.source().open(server.url('/1'))
  assert.equal(String(await buffer(body)), 'image')
  await assert.rejects(server.source().open(server.url('/0')), /more than 3 redirects/)
})

for (const [name, location, reason] of [
  ['a private address', 'https://192.168.1.1/x', /192\.168\.1\.1 is not an address/],
  ['a metadata service', 'https://169.254.169.254/latest', /169\.254\.169\.254 is not/],
  ['plain http', 'http://updates.example/x', /must be https/],
  ['an address with a password', 'https://u:p@updates.example/x', /user name or password/],
  ['a file', 'file:///etc/passwd', /must be https/],
] as const) {
  test(`a redirect to ${name} is refused`, async (t) => {
    const server = await localServer(t, { '/': to(location) })
    await assert.rejects(server.source().open(server.url('/')), reason)
    assert.deepEqual(server.asked, ['/'])
  })
}

test('a redirect to a name that leads home is refused: the allowance is for one name', async (t) => {
  const server = await localServer(t, { '/': { status: 404 }, '/x': { body: 'secret' } })
  const source = server.source()
  await assert.rejects(source.open(server.url('/x', 'other.example')), /127\.0\.0\.1 is not/)
  assert.deepEqual(server.asked, [])
})

test('a name is looked up once a connection: it cannot be public when asked and private when used', async (t) => {
  const server = await localServer(t, { '/x': { body: 'image' } })
  const answers = ['127.0.0.1', '10.0.0.1']
  let lookups = 0
  const rebinding: Resolve = (host) => at(answers[lookups++] ?? '')(host)
  const allowed = server.source(rebinding)
  assert.equal(String(await buffer(await allowed.open(server.url('/x')))), 'image')
  assert.equal(lookups, 1)
  await assert.rejects(
    server.source(rebinding, []).open(server.url('/x')),
    /10\.0\.0\.1 is not an address/,
  )
  assert.equal(lookups, 2)
})

test('an image that announces more than the box takes, or a 404, is refused', async (t) => {
  const server = await localServer(t, {
    '/big': { headers: { 'content-length': '1001' }, body: 'x'.repeat(1001) },
  })
  await assert.rejects(server.source().open(server.url('/big')), /is larger than/)
  await assert.rejects(server.source().open(server.url('/no')), /the server answered 404/)
})

test('a certificate that nobody vouches for is refused', async (t) => {
  const server = await localServer(t, { '/x': { body: 'image' } })
  const source = createUpdateSource({
    allow: ['updates.example'],
    limit: 1000,
    resolve: at('127.0.0.1'),
  })
  await assert.rejects(source.open(server.url('/x')), /certificate/)
  assert.deepEqual(server.asked, [])
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { busyFor } from '../testing/busy.ts'
import { AddressRefused, guardedRequest, HostUnknown } from './guarded-request.ts'

const signal = new AbortController().signal
const anywhere = { signal, addressProblem: () => undefined }
const nowhere = { signal, addressProblem: (address: string) => `${address} is closed` }
const at =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }))

async function serve(t: TestContext, answer: RequestListener) {
  const hosts: (string | undefined)[] = []
  const server = createServer((request, reply) => {
    hosts.push(request.headers.host)
    answer(request, reply)
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { hosts, url: (host = '127.0.0.1') => new URL(`http://${host}:${port}/path`), port }
}

test('the body is sent, and a redirect is an answer like any other', async (t) => {
  const server = await serve(t, async (request, reply) => {
    reply.writeHead(302, { location: '/elsewhere' }).end(`${request.method} ${await text(request)}`)
  })
  const answer = await guardedRequest(server.url(), { ...anywhere, method: 'PUT', body: 'a body' })
  assert.equal(answer.statusCode, 302)
  assert.equal(await text(answer), 'PUT a body')
  assert.equal(server.hosts.length, 1)
})

test('the connection goes to the address that was checked, and the name is asked for once', async (t) => {
  const server = await serve(t, (_request, reply) => reply.end('here'))
  let asked = 0
  const answer = await guardedRequest(server.url('name.example'), {
    ...anywhere,
    async resolve() {
      asked += 1
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  assert.equal(await text(answer), 'here')
  assert.equal(asked, 1)
  assert.deepEqual(server.hosts, [`name.example:${server.port}`])
})

test('a literal address, a name, and one bad address among good ones are refused', async (t) => {
  const server = await serve(t, (_request, reply) => reply.end())
  const onlyLocal = (address: string) =>
    address === '127.0.0.1' ? undefined : `${address} is closed`
  await assert.rejects(guardedRequest(server.url(), nowhere), AddressRefused)
  await assert.rejects(
    guardedRequest(server.url('[::1]'), nowhere),
    /^AddressRefused: ::1 is closed/,
  )
  await assert.rejects(
    guardedRequest(server.url('name.example'), {
      signal,
      addressProblem: onlyLocal,
      resolve: at('127.0.0.1', '10.0.0.1'),
    }),
    /^AddressRefused: name.example: 10.0.0.1 is closed/,
  )
  assert.deepEqual(server.hosts, [])
})

test('a name without an address and one that cannot be resolved are told apart from a refusal', async () => {
  const url = new URL('http://name.example/')
  await assert.rejects(guardedRequest(url, { ...anywhere, resolve: at() }), HostUnknown)
  const resolve = () => Promise.reject(new Error('SERVFAIL'))
  await assert.rejects(guardedRequest(url, { ...anywhere, resolve }), HostUnknown)
})

test('a server that says nothing is given up after the time for headers', async (t) => {
  const server = await serve(t, () => {})
  await assert.rejects(
    guardedRequest(server.url(), { ...anywhere, timeoutMs: 50 }),
    /no answer in time/,
  )
})

test('an answer that lies there unread while this process has no time is one', async (t) => {
  const server = await serve(t, (_request, reply) => reply.end('here'))
  const answer = guardedRequest(server.url(), { ...anywhere, timeoutMs: 300 })
  setImmediate(() => busyFor(500))
  assert.equal((await answer).statusCode, 200)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { busyFor } from '@manara/kit/testing/busy'
import { createHttpEdr } from './http-edr.ts'

test('an EDR that does not end', async (t) => {
  let answer: RequestListener = () => {}
  // A connection that nobody uses for a while is not closed under who is about to use it again.
  const server = createServer({ keepAliveTimeout: 0 }, (request, reply) => answer(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const secret = async () => 'a secret of the tests'
  const edr = createHttpEdr({ url: `http://127.0.0.1:${port}`, secret, timeoutMs: 120_000 })
  const order = { actionId: 'a-1', endpointId: 'e-1', command: 'isolate' } as const
  async function inventory() {
    for await (const page of edr.endpoints()) assert.deepEqual(page, [])
  }
  /** As fast as it is read, for ever. */
  const endless =
    (status: number, start: string): RequestListener =>
    (_request, reply) => {
      const more = () => reply.write(' '.repeat(1024 * 1024))
      reply.writeHead(status, { 'content-type': 'application/json' }).write(start)
      reply.on('drain', more)
      more()
    }

  await t.test('its pages are given up, and those there were are not too many', async () => {
    let pages = 0
    answer = (_request, reply) => {
      pages += 1
      reply.end(JSON.stringify({ endpoints: [], next_cursor: `${pages}` }))
    }
    await assert.rejects(inventory(), /no end after 1000 pages/)
    assert.equal(pages, 1_000)
  })

  await t.test('its answers are given up, and it is told so', async () => {
    answer = endless(200, '{')
    await assert.rejects(inventory(), /answer has over 67108864 bytes/)
    await assert.rejects(edr.outcome(order), /answer has over 65536 bytes/)
    await assert.rejects(edr.act(order), /answer has over 65536 bytes/)
  })

  await t.test('what answers in its place is told by what it is', async () => {
    answer = (_request, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      reply.end('<html>Please sign in</html>')
    }
    await assert.rejects(inventory(), /answer is no JSON \(text\/html\): check EDR_URL$/)
    await assert.rejects(edr.act(order), /answer is no JSON \(text\/html\): check EDR_URL$/)
    answer = (_request, reply) => reply.end('[]')
    await assert.rejects(inventory(), /not understood: Invalid input: expected object/)
    answer = (_request, reply) => reply.end('{"endpoints":[{}],"next_cursor":null}')
    await assert.rejects(inventory(), /not understood: endpoints\.0\.id: Invalid input/)
  })

  await t.test('one that says nothing is told so', async () => {
    answer = () => {}
    const hurried = createHttpEdr({ url: `http://127.0.0.1:${port}`, secret, timeoutMs: 50 })
    await assert.rejects(hurried.act(order), /the EDR did not answer within 0\.05 s/)
    answer = (request) => request.socket.destroy()
    await assert.rejects(edr.act(order), /the EDR cannot be reached: other side closed/)
  })

  await t.test(
    'one whose answer lies there unread while this service has no time is heard',
    async () => {
      answer = (_request, reply) =>
        reply.end('{"endpoints":[],"next_cursor":null}', () => busyFor(500))
      const hurried = createHttpEdr({ url: `http://127.0.0.1:${port}`, secret, timeoutMs: 300 })
      const read = hurried.endpoints()[Symbol.asyncIterator]().next()
      assert.deepEqual((await read).value, [])
    },
  )

  await t.test('an answer about another order is none', async () => {
    const outcome = (named: object): RequestListener => {
      const body = JSON.stringify({ status: 'completed', ...named })
      return (_request, reply) => reply.end(body)
    }
    for (const [named, refused] of [
      [{ endpoint_id: 'e-2' }, /about the endpoint e-2 instead of e-1: look there/],
      [{ endpoint_id: '' }, /about the endpoint {2}instead of e-1: look there/],
      [{ endpoint_id: 'e-1', action_id: 7 }, /about the order 7 instead of a-1: look there/],
      [{ command: 'unisolate' }, /about the command unisolate instead of isolate: look there/],
    ] as const) {
      answer = outcome(named)
      await assert.rejects(edr.act(order), refused)
      await assert.rejects(edr.outcome(order), refused)
    }
    for (const named of [
      { endpoint_id: 'e-1', action_id: 'a-1', command: 'isolate' },
      { endpoint_id: null, action_id: null, command: 'contain_host' },
      {},
    ]) {
      answer = outcome(named)
      assert.equal((await edr.act(order)).status, 'completed')
      assert.equal((await edr.outcome(order))?.status, 'completed')
    }
  })

  await t.test('what its status says holds all the same', async () => {
    answer = endless(422, '<html>')
    assert.equal((await edr.act(order)).status, 'failed')
    answer = endless(503, '<html>')
    await assert.rejects(edr.act(order), /answered 503/)
  })
})

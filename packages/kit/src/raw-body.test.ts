import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { invalid } from './errors.ts'
import { createHttp } from './http.ts'
import { rawBodyScope } from './raw-body.ts'

function server(t: TestContext) {
  const http = createHttp({ envelope: (error) => ({ error }), bodyLimit: 10 })
  http.post('/json', async ({ body }) => ({ body }))
  rawBodyScope(http, { mostBytes: 20 }, (scope) => {
    scope.post('/bytes', async ({ body }) => ({ bytes: (body as Buffer).toString('hex') }))
  })
  rawBodyScope(http, 'stream', (scope) => {
    scope.post('/stream', async ({ body }) => ({ size: (await buffer(body as Readable)).length }))
  })
  t.after(() => http.close())
  return (url: string, payload: string | Buffer | Readable, type = 'application/json') =>
    http.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
}

test('a body of any type comes as its bytes, JSON too, up to a limit of its own', async (t) => {
  const post = server(t)
  assert.deepEqual((await post('/bytes', '{"a":1}')).json(), { bytes: '7b2261223a317d' })
  assert.deepEqual((await post('/bytes', Buffer.from([0, 255]), 'image/x')).json(), {
    bytes: '00ff',
  })
  assert.equal((await post('/bytes', 'x'.repeat(20), 'text/plain')).statusCode, 200)
  assert.equal((await post('/bytes', 'x'.repeat(21), 'text/plain')).statusCode, 400)
})

test('a stream is handed over unread and without a limit', async (t) => {
  const post = server(t)
  const body = Readable.from([Buffer.alloc(1000), Buffer.alloc(1000)])
  assert.deepEqual((await post('/stream', body, 'application/octet-stream')).json(), { size: 2000 })
})

test('the routes beside it still take JSON alone', async (t) => {
  const post = server(t)
  assert.deepEqual((await post('/json', '{"a":1}')).json(), { body: { a: 1 } })
  assert.equal((await post('/json', 'a: 1', 'text/yaml')).statusCode, 400)
})

test('what is refused half-way keeps the connection: the rest is thrown away, and the next request answered', async (t) => {
  const http = createHttp({ envelope: (error) => ({ error }), bodyLimit: 10 })
  t.after(() => http.close())
  http.get('/next', async () => ({ next: true }))
  rawBodyScope(http, 'stream', (scope) => {
    scope.post('/refused', async ({ body }) => {
      for await (const _ of (body as Readable).iterator({ destroyOnReturn: false })) break
      throw invalid('body', 'is not taken')
    })
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const socket = net.connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => socket.destroy())
  const rest = 200_000
  socket.write(`POST /refused HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${rest + 1}\r\n\r\n1`)
  const [refusal] = await once(socket, 'data')
  assert.match(String(refusal), /^HTTP\/1\.1 400 [\s\S]*is not taken/)
  socket.write('x'.repeat(rest))
  socket.write('GET /next HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 [\s\S]*"next":true/)
})

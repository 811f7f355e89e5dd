import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
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

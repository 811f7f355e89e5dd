import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { z } from 'zod'
import { AppError, invalid, notFound, tooMany } from './errors.ts'
import { closeHttp, createHttp } from './http.ts'

function setup() {
  const http = createHttp({
    envelope: (error) => ({ error }),
    bodyLimit: 1024,
    translate: (error) => ((error as Error).message === 'lost' ? new AppError(503, 'away') : error),
  })
  const Body = z.strictObject({
    volume: z.int().min(0).max(100),
    ab: z.strictObject({ from: z.int() }).optional(),
  })
  http.post('/volume', { schema: { body: Body } }, ({ body }) => body)
  http.post('/plain', () => ({ ok: true }))
  http.get('/list', { schema: { querystring: z.strictObject({ limit: z.string() }) } }, () => ({}))
  http.get('/fail/:how', ({ params }) => {
    const { how } = params as { how: string }
    if (how === 'invalid') throw invalid('path', 'must stay on the card')
    if (how === 'missing') throw notFound('station', 7)
    if (how === 'often') throw tooMany('playback', 4)
    if (how === 'lost') throw new Error('lost')
    throw new Error('the password is hunter2')
  })
  const post = (url: string, payload: string | object, type = 'application/json') =>
    http.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  return { http, post }
}

const BROKEN = Buffer.from('{"text":"\xe9"}', 'latin1')

const BAD: [what: string, url: string, payload: string | object, type: string, error: RegExp][] = [
  ['malformed JSON', '/volume', '{"volume":', 'application/json', /^body: is not valid JSON/],
  [
    'prototype pollution',
    '/volume',
    '{"__proto__":{"a":1}}',
    'application/json',
    /^body: .*__proto__/,
  ],
  ['a body too large', '/volume', { text: 'x'.repeat(2000) }, 'application/json', /^body: is too/],
  ['broken UTF-8', '/plain', BROKEN, 'application/json', /^body: is not valid UTF-8/],
  ['another charset', '/plain', '{}', 'application/json; charset=latin1', /^content-type: charset/],
  ['an array', '/volume', '[1]', 'application/json', /^body: expected object/],
  ['another content type', '/volume', 'volume=4', 'text/plain', /^content-type:/],
  ['an empty body', '/volume', '', 'application/json', /^body:/],
  ['a missing field', '/volume', {}, 'application/json', /^volume: is required/],
  ['a number as text', '/volume', { volume: '40' }, 'application/json', /^volume: expected number/],
  ['too large a number', '/volume', { volume: 101 }, 'application/json', /: must be at most 100$/],
  ['too small a number', '/volume', { volume: -1 }, 'application/json', /: must be at least 0$/],
  ['an unknown field', '/volume', { volume: 1, x: 1 }, 'application/json', /^x: is not a known/],
  ['a nested field', '/volume', { volume: 1, ab: { from: '1' } }, 'application/json', /^ab\.from:/],
]

for (const [what, url, payload, type, error] of BAD) {
  test(`${what} is 400 with one field that says what`, async () => {
    const reply = await setup().post(url, payload, type)
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, error)
  })
}

test('a machine that stands still while the server is put together gets it all the same', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { http } = setup()
  const read = Promise.withResolvers<void>()
  const begun = new Promise<void>((resolve) => {
    void http.register(async () => {
      resolve()
      await read.promise
    })
  })
  const isReady = http.ready()
  await begun
  t.mock.timers.tick(15_000)
  read.resolve()
  await isReady
})

test('a body that is packed is told that it is, where only JSON is taken', async () => {
  const { http } = setup()
  for (const [encoding, status] of [
    ['gzip', 400],
    ['br', 400],
    ['identity', 200],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const reply = await http.inject({
      method: 'POST',
      url: '/volume',
      payload: '{"volume":4}',
      headers,
    })
    assert.equal(reply.statusCode, status)
    if (status === 400) assert.match(reply.json().error, /^content-encoding: /)
  }
})

test('a body may say that it is UTF-8, and begin with a mark of it', async () => {
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii']) {
    const reply = await setup().post(
      '/volume',
      '{"volume":4}',
      `application/json; charset=${charset}`,
    )
    assert.deepEqual(reply.json(), { volume: 4 }, charset)
  }
  assert.equal((await setup().post('/volume', '\ufeff{"volume":4}')).statusCode, 200)
})

test('a route without a body takes an empty one of any type', async () => {
  const { http, post } = setup()
  assert.equal((await post('/plain', '')).statusCode, 200)
  assert.equal((await post('/plain', '', 'application/x-www-form-urlencoded')).statusCode, 200)
  assert.equal((await http.inject({ method: 'POST', url: '/plain' })).statusCode, 200)
})

const FAILURES: [how: string, status: number, error: string][] = [
  ['invalid', 400, 'path: must stay on the card'],
  ['missing', 404, 'station 7 not found'],
  ['often', 429, 'too many playback requests: try again in 4 s'],
  ['lost', 503, 'away'],
  ['bug', 500, 'internal error'],
]

for (const [how, status, error] of FAILURES) {
  test(`a thrown error (${how}) becomes ${status} with nothing of a bug in it`, async () => {
    const reply = await setup().http.inject(`/fail/${how}`)
    assert.equal(reply.statusCode, status)
    assert.deepEqual(reply.json(), { error })
    if (how === 'often') assert.equal(reply.headers['retry-after'], '4')
  })
}

test('an unknown path or method, and a path that is no path, have the same shape', async () => {
  const { http, post } = setup()
  assert.deepEqual((await http.inject('/nope?token=1')).json(), { error: 'no route GET /nope' })
  assert.equal((await post('/list', '{"not json')).statusCode, 404)
  const query = await http.inject({ method: 'QUERY' as 'GET', url: '/list' })
  assert.equal(query.statusCode, 404, query.body)
  const bad = await http.inject('/%E0%A4%A')
  assert.equal(bad.statusCode, 400)
  assert.deepEqual(Object.keys(bad.json()), ['error'])
})

test('a request id is made, or kept when it is harmless', async () => {
  const { http } = setup()
  const ids = ['', 'abc-123', 'evil\nid', 'x'.repeat(65)]
  const replies = await Promise.all(
    ids.map((id) => http.inject({ url: '/fail/missing', headers: { 'x-request-id': id } })),
  )
  const [made, kept, evil, long] = replies.map((reply) => reply.headers['x-request-id'])
  assert.match(String(made), /^[\w-]{36}$/)
  assert.equal(kept, 'abc-123')
  assert.match(String(evil), /^[\w-]{36}$/)
  assert.match(String(long), /^[\w-]{36}$/)
})

test('bytes that are no HTTP get an answer in the same shape', async (t) => {
  const { http } = setup()
  await http.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => http.close())
  const socket = net.connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  socket.end('NONSENSE\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += chunk
  assert.match(answer, /^HTTP\/1\.1 400 .*\{"error":"request: is not valid HTTP"\}$/s)
})

const UNEXPECTED: [what: string, head: string, error: string][] = [
  ['names no host', 'GET /list?limit=1 HTTP/1.1', 'host: is required'],
  [
    'expects what nobody knows',
    'GET /list?limit=1 HTTP/1.1\r\nhost: x\r\nexpect: wonders',
    'expect: only 100-continue is understood',
  ],
]
for (const [what, head, error] of UNEXPECTED) {
  test(`who ${what} gets an answer in the same shape`, async (t) => {
    const { http } = setup()
    t.after(() => closeHttp(http, 0))
    const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.end(`${head}\r\nconnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.deepEqual(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))), { error })
  })
}

test('HTTP/1.0 knows no hosts, and a body may be waited for', async (t) => {
  const { http } = setup()
  t.after(() => closeHttp(http, 0))
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  for (const head of [
    'GET /list?limit=1 HTTP/1.0\r\nexpect: wonders\r\n\r\n',
    'POST /plain HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n',
  ]) {
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.end(head)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    assert.match(answer, /HTTP\/1\.1 200 /)
  }
})

test('who sends a body that is too large gets to read why', async (t) => {
  const { http } = setup()
  t.after(() => closeHttp(http, 0))
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  const socket = net.connect(Number(port), '127.0.0.1').setEncoding('utf8')
  const half = 'x'.repeat(8 * 1024 * 1024)
  socket.write(`POST /volume HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`)
  socket.write(`content-length: ${2 * half.length}\r\n\r\n${half}`)
  const [answer] = await once(socket, 'data')
  assert.match(answer, /^HTTP\/1\.1 400 .*"body: is too large/s)
  // The rest may come, and the next request after it.
  socket.write(`${half}GET /list?limit=1 HTTP/1.1\r\nhost: x\r\n\r\n`)
  const [next] = await once(socket, 'data')
  assert.match(next, /^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('who goes in the middle of a body makes no engine look as if it were away', async (t) => {
  const translated: unknown[] = []
  const http = createHttp({
    ...{ envelope: (error) => ({ error }), bodyLimit: 1024 },
    translate: (error) => translated.push(error),
  })
  t.after(() => closeHttp(http, 0))
  const answered = Promise.withResolvers<[number, unknown]>()
  http.addHook('onSend', async (_, reply, body) => answered.resolve([reply.statusCode, body]))
  const arrived = new Promise<void>((resolve) => http.addHook('preParsing', async () => resolve()))
  http.post('/plain', () => ({ ok: true }))
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.write('POST /plain HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n')
  socket.write('content-length: 500\r\n\r\n{"volume":')
  await arrived
  socket.destroy()
  assert.deepEqual(await answered.promise, [400, '{"error":"body: ended before it was complete"}'])
  assert.deepEqual(translated, [])
})

test('closing finishes the request under way', async () => {
  const http = createHttp({ envelope: (error) => ({ error }), bodyLimit: 1024 })
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  http.get('/slow', async () => {
    arrived.resolve()
    await release.promise
    return { done: true }
  })
  const address = await http.listen({ port: 0, host: '127.0.0.1' })
  const reply = fetch(`${address}/slow`)
  await arrived.promise
  const closed = closeHttp(http, 60_000)
  release.resolve()
  assert.deepEqual(await (await reply).json(), { done: true })
  await closed
})

test('closing cuts what does not finish within the grace', async () => {
  const http = createHttp({ envelope: (error) => ({ error }), bodyLimit: 1024 })
  const arrived = Promise.withResolvers<void>()
  http.get('/never', () => {
    arrived.resolve()
    return new Promise(() => {})
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const socket = net.connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /never HTTP/1.1\r\nhost: x\r\n\r\n')
  await arrived.promise
  const ended = once(socket, 'close')
  await closeHttp(http, 1)
  await ended
})

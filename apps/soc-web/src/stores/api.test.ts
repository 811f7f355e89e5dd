import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApi, Refused, Unreachable, withQuery } from './api.ts'

function service(...replies: (Response | Error)[]) {
  return serviceFor(false, ...replies)
}

function serviceFor(comesBack: boolean, ...replies: (Response | Error)[]) {
  const asked: string[] = []
  const waited: number[] = []
  let signedOut = 0
  let unavailable = 0
  const api = createApi({
    async fetch(url, { method }) {
      asked.push(`${method} ${url}`)
      const reply = replies.shift() ?? new Response('{}')
      if (reply instanceof Error) throw reply
      return reply
    },
    onSignedOut: async () => {
      signedOut += 1
      return comesBack
    },
    onWait: (ms) => waited.push(ms),
    onUnavailable: () => {
      unavailable += 1
    },
    after: (_, then) => then(),
  })
  return { api, asked, waited, signedOut: () => signedOut, unavailable: () => unavailable }
}

const refusal = (status: number, detail: string, headers = {}) =>
  new Response(JSON.stringify({ detail }), { status, headers })

test('what is empty is not asked for', () => {
  const values = { q: 'a b', from: '', skip: 0, status: null, host: undefined }
  assert.equal(withQuery('/alerts', values), '/alerts?q=a+b&skip=0')
  assert.equal(withQuery('/alerts', {}), '/alerts')
})

test('a refusal names its field', async () => {
  const { api } = service(refusal(400, 'rules[2].title: must not be empty'))
  await assert.rejects(api.post('/x', {}), (error: unknown) => {
    assert.ok(error instanceof Refused)
    assert.deepEqual([error.status, error.field], [400, 'rules[2].title'])
    return true
  })
})

test('a service that is away is told apart from one that refuses', async () => {
  const { api } = service(new TypeError('failed to fetch'))
  await assert.rejects(api.get('/x'), Unreachable)
})

test('a session that is over is told', async () => {
  const { api, signedOut } = service(refusal(401, 'sign in'))
  await assert.rejects(api.get('/x'), Refused)
  assert.equal(signedOut(), 1)
})

test('who is back is asked for nothing twice, and a second refusal is one', async () => {
  const over = () => refusal(401, 'sign in')
  const { api, asked, signedOut } = serviceFor(true, over(), new Response('{"ok":true}'))
  assert.deepEqual(await api.post('/x', {}), { ok: true })
  assert.deepEqual([asked, signedOut()], [['POST /api/v1/x', 'POST /api/v1/x'], 1])
  const never = serviceFor(true, over(), over())
  await assert.rejects(never.api.get('/x'), Refused)
  assert.deepEqual([never.asked.length, never.signedOut()], [2, 1])
})

test('reads wait as long as they are asked to; a change is never sent twice', async () => {
  const wait = () => refusal(429, 'wait', { 'retry-after': '7' })
  const { api, asked, waited } = service(wait(), new Response('{"ok":true}'), wait())
  assert.deepEqual(await api.get('/x'), { ok: true })
  await assert.rejects(api.post('/y', {}), Refused)
  assert.deepEqual(asked, ['GET /api/v1/x', 'GET /api/v1/x', 'POST /api/v1/y'])
  assert.deepEqual(waited, [7_000])
})

test('an answer that the database is away is told at once', async () => {
  const { api, unavailable } = service(refusal(503, 'the database is unavailable'))
  await assert.rejects(api.get('/alerts'), Refused)
  assert.equal(unavailable(), 1)
})

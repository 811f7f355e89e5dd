import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApi, evenPreviewed, Previewed, Refused, Unreachable, withQuery } from './api.ts'

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

test('what is too much for now waits as long as it is asked to, a change too', async () => {
  const wait = (s: string) => refusal(429, 'wait', s ? { 'retry-after': s } : {})
  const { api, asked, waited } = service(wait('7'), new Response('{"ok":true}'), wait('9'))
  assert.deepEqual(await api.get('/x'), { ok: true })
  assert.deepEqual(await api.post('/y', {}), {})
  const sent = ['GET /api/v1/x', 'GET /api/v1/x', 'POST /api/v1/y', 'POST /api/v1/y']
  assert.deepEqual([asked, waited], [sent, [7_000, 9_000]])
  // Of no known end, for longer than anybody waits, or of guesses at a password.
  for (const [path, seconds] of [
    ['/z', ''],
    ['/z', '900'],
    ['/auth/token', '2'],
  ] as const) {
    await assert.rejects(service(wait(seconds)).api.post(path, {}), Refused)
  }
})

test('a change waits behind one of its kind that waits, so that the last one stays the last', async () => {
  const asked: string[] = []
  let goOn = () => {}
  const api = createApi({
    async fetch(url, { body }) {
      asked.push(`${url.slice('/api/v1'.length)} ${body ?? ''}`)
      return asked.length === 1 ? refusal(429, '', { 'retry-after': '7' }) : new Response('{}')
    },
    ...{ onSignedOut: async () => false, onWait() {} },
    after(_, then) {
      goOn = then
    },
  })
  const first = api.post('/alerts/bulk', { status: 'triaged' })
  await new Promise((resolve) => setImmediate(resolve))
  const second = api.post('/alerts/bulk', { status: 'closed' })
  await api.post('/cases', {})
  assert.deepEqual([asked.length, api.isHolding()], [2, true])
  goOn()
  await Promise.all([first, second])
  assert.deepEqual(asked.slice(2), [
    '/alerts/bulk {"status":"triaged"}',
    '/alerts/bulk {"status":"closed"}',
  ])
  assert.equal(api.isHolding(), false)
})

test('who no longer wants an answer need not wait for it', async () => {
  const stop = new AbortController()
  const api = createApi({
    async fetch(_, { signal }) {
      signal?.throwIfAborted()
      return refusal(429, '', { 'retry-after': '60' })
    },
    ...{ onSignedOut: async () => false, after() {} },
    onWait: () => setImmediate(() => stop.abort()),
  })
  await assert.rejects(api.stream('POST', '/chat', { signal: stop.signal }), { name: 'AbortError' })
  assert.equal(api.isHolding(), false)
})

test('an answer that the database is away is told at once', async () => {
  const { api, unavailable } = service(refusal(503, 'the database is unavailable'))
  await assert.rejects(api.get('/alerts'), Refused)
  assert.equal(unavailable(), 1)
})

test('what a dry run only shows is not taken for what was done', async () => {
  const previewed = () => new Response('{"id":"7","preview":true}')
  const { api } = service(previewed(), previewed())
  await assert.rejects(api.post('/cases', {}), Previewed)
  await assert.rejects(api.upload('/iocs/import', '', 'text/csv'), Previewed)
})

test('what a dry run finds out is shown, and not taken for done either', async () => {
  const shown: object[] = []
  const { api } = service(new Response('{"skipped":[1],"preview":true}'))
  const asked = api.upload<object>('/iocs/import', '', 'text/csv')
  await assert.rejects(
    evenPreviewed(asked, (reply) => shown.push(reply)),
    Previewed,
  )
  assert.deepEqual(shown, [{ skipped: [1], preview: true }])
})

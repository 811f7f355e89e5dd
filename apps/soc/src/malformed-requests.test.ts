import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedRequests } from '@manara/kit/testing/malformed-requests'
import fc from 'fast-check'
import { startTestSoc } from './testing/test-soc.ts'

// Those would end the session, the user, or the test's patience.
// Shippers are answered in their own way.
const LEFT_OUT =
  /(\/(auth\/logout|events\/stream|siem\/tail|users\/me\/password|_bulk|v1\/logs)$)|^\/(services|metrics)/

test('no request, however malformed, is a bug or ends the service', async (t) => {
  const soc = await startTestSoc(t)
  const token = await soc.signIn()
  const headers = { authorization: `Bearer ${token}` }
  const created = async (url: string, body: object) =>
    (await soc.http.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload: body })).json()
      .id as string
  const alert = await created('/alerts', { title: 'a', source: 's', severity: 'low', iocs: [] })
  const investigated = await created('/cases', { title: 'c', severity: 'low' })

  const { paths, components } = (
    await soc.http.inject({ url: '/api/v1/openapi.json', headers })
  ).json()
  for (const path of Object.keys(paths)) if (LEFT_OUT.test(path)) delete paths[path]
  await fc.assert(
    fc.asyncProperty(
      malformedRequests(paths, [alert, investigated], components.schemas),
      async (request) => {
        const { method, url, payload, type } = request
        const reply = await soc.http.inject({
          method: method as 'POST',
          url,
          headers: { ...headers, ...(type && { 'content-type': type }) },
          ...(payload === undefined ? {} : { payload }),
        })
        assert.notEqual(reply.statusCode, 500, `${method} ${url} ${payload}`)
        if (reply.statusCode < 400) assert.ok(reply.statusCode < 300, `${reply.statusCode}`)
        // The ways in of shippers refuse as their own protocols do.
        else if (url.startsWith('/api/')) assert.deepEqual(Object.keys(reply.json()), ['detail'])
      },
    ),
    { numRuns: 2_000 },
  )
  assert.equal((await soc.http.inject('/health')).json().status, 'ok')
})

test('no route takes a NUL in a name for a bug', async (t) => {
  const soc = await startTestSoc(t)
  const headers = { authorization: `Bearer ${await soc.signIn()}` }
  const { paths } = (await soc.http.inject({ url: '/api/v1/openapi.json', headers })).json()
  for (const [path, methods] of Object.entries<object>(paths)) {
    // A request to the authority is no name: its own answer says that it cannot be read.
    if (!path.includes('{') || path.endsWith('/{request}') || LEFT_OUT.test(path)) continue
    for (const method of Object.keys(methods)) {
      const url = path.replaceAll(/\{[^}]+\}/g, '%00')
      const reply = await soc.http.inject({ method: method.toUpperCase() as 'GET', url, headers })
      assert.equal(reply.statusCode, 404, `${method} ${url}`)
    }
  }
})

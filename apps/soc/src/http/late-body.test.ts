import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startTestSoc } from '../testing/test-soc.ts'

test('a body that comes after its sender was signed out is not taken', async (t) => {
  const soc = await startTestSoc(t)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const as = await soc.signIn()
  const user = { username: 'back-door', password: 'a very long pass phrase', role: 'admin' }
  const alert = { title: 'forged', source: 'x', severity: 'low' }

  /** Its head is there and was found good; its body is still to come. */
  async function begin(method: string, path: string, credential: Record<string, string>) {
    const came = once(soc.http.server, 'request')
    const begun = request(`${address}/api/v1${path}`, {
      method,
      headers: {
        ...credential,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    })
    begun.flushHeaders()
    await came
    const seen = await fetch(`${address}/api/v1/users/me`, { headers: credential })
    assert.equal(seen.status, 200)
    return async (body: string) => {
      begun.end(body)
      const [reply] = (await once(begun, 'response')) as [IncomingMessage]
      reply.resume()
      return reply.statusCode
    }
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const leaver = bearer(await soc.signInAs('admin', 'leaver'))
  await soc.signInAs('viewer', 'kept')
  const made = await soc.call('POST', '/users/leaver/api-keys', {
    as,
    body: { name: 'feed', scopes: ['alerts:write', 'alerts:read'] },
  })
  const key = { 'x-api-key': made.body.key as string }

  const creates = await begin('POST', '/users', leaver)
  const deletes = await begin('DELETE', '/users/kept', leaver)
  const raises = await begin('POST', '/alerts', key)
  const stays = await begin('POST', '/alerts', bearer(as))
  assert.equal(
    (await soc.call('PATCH', '/users/leaver', { as, body: { disabled: true } })).status,
    200,
  )
  assert.equal(await creates(JSON.stringify(user)), 401)
  assert.equal(await deletes(''), 401)
  assert.equal(await raises(JSON.stringify(alert)), 401)
  assert.equal(await stays(JSON.stringify({ ...alert, title: 'real' })), 201)
  const names = (await soc.call('GET', '/users', { as })).body.items.map(
    ({ username }: { username: string }) => username,
  )
  assert.deepEqual(names, ['admin', 'kept', 'leaver'])
  assert.equal((await soc.call('GET', '/alerts', { as })).body.total, 1)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { startTestSoc } from '../../../testing/test-soc.ts'

test('an export ends when its reader is signed out', async (t) => {
  const soc = await startTestSoc(t)
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const as = await soc.signIn()
  // More than lies between the two ends of a connection.
  const large = { message: 'x'.repeat(900_000) }
  for (let n = 0; n < 6; n += 1) {
    const sent = await soc.call('POST', '/siem/logs', { as, body: Array(8).fill(large) })
    assert.equal(sent.status, 200)
  }
  const leaver = await soc.signInAs('analyst', 'leaver')
  const asked = get(`${address}/api/v1/siem/export`, {
    headers: { authorization: `Bearer ${leaver}` },
  })
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  await once(reply, 'readable')
  await soc.call('PATCH', '/users/leaver', { as, body: { disabled: true } })
  reply.resume()
  await assert.rejects(once(reply, 'end'), { code: 'ECONNRESET' })
})

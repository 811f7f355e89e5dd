import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedRequests } from '@manara/kit/testing/malformed-requests'
import fc from 'fast-check'
import { playerFixture, TOKEN } from './testing/player-fixture.ts'

test('no request, however malformed, is a bug, ends the service or tells the token', async (t) => {
  const { app, get } = await playerFixture(t)
  const { paths } = (await get('/openapi.json')).json()
  const token = fc.oneof(
    { weight: 8, arbitrary: fc.constant(TOKEN) },
    { weight: 1, arbitrary: fc.string({ maxLength: 70 }) },
  )
  let client = 0
  await fc.assert(
    fc.asyncProperty(malformedRequests(paths), token, async (request, given) => {
      const { method, url, payload, type } = request
      const reply = await app.inject({
        method: method as 'POST',
        url,
        // One client each: the rate limit would otherwise answer for the routes.
        remoteAddress: `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client++ & 255}`,
        headers: {
          authorization: `Bearer ${given.replaceAll(/[^\x20-\x7e]/g, '?')}`,
          ...(type && { 'content-type': type }),
        },
        ...(payload === undefined ? {} : { payload }),
      })
      assert.ok(!reply.body.includes(TOKEN), 'the token was told')
      assert.doesNotMatch(reply.body, /internal error/, `${method} ${url}`)
      if (reply.statusCode >= 400) assert.deepEqual(Object.keys(reply.json()), ['error'])
      else assert.ok(reply.statusCode < 300, `${reply.statusCode}`)
    }),
    { numRuns: 4_000 },
  )
  assert.equal((await get('/system')).statusCode, 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture } from '../testing/player-fixture.ts'

const CLASSES: [name: string, limit: number, method: 'GET' | 'POST', url: string][] = [
  ['status polls', 300, 'GET', '/api/playback/status'],
  ['other mutations', 60, 'POST', '/api/favorites'],
  ['playback mutations', 20, 'POST', '/api/playback/pause'],
]

for (const [name, limit, method, url] of CLASSES) {
  test(`${name}: ${limit} in 10 s, then 429 before anything else is looked at`, async (t) => {
    const { app } = await playerFixture(t)
    for (let n = 0; n < limit; n += 1) {
      assert.notEqual((await app.inject({ method, url })).statusCode, 429, `request ${n + 1}`)
    }
    const refused = await app.inject({ method, url, ...(method === 'POST' && { payload: '{' }) })
    assert.equal(refused.statusCode, 429)
    assert.deepEqual(Object.keys(refused.json()), ['error'])
    assert.match(String(refused.headers['retry-after']), /^([1-9]|10)$/)
  })
}

test('a client that used up one class may still use another', async (t) => {
  const { app, get } = await playerFixture(t)
  for (let n = 0; n < 21; n += 1) await app.inject({ method: 'POST', url: '/api/playback/stop' })
  assert.equal((await get('/playback/status')).statusCode, 200)
})

test('clients are told apart by their address', async (t) => {
  const { app } = await playerFixture(t)
  const from = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: '/api/playback/stop', remoteAddress })
  for (let n = 0; n < 21; n += 1) await from('192.168.1.20')
  assert.equal((await from('192.168.1.20')).statusCode, 429)
  assert.equal((await from('192.168.1.21')).statusCode, 401)
})

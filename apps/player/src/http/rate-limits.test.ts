import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playerFixture, TOKEN } from '../testing/player-fixture.ts'

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

test('commands without or with a wrong token lock nobody out who has the right one', async (t) => {
  const { app, post } = await playerFixture(t)
  const stop = (authorization: string) =>
    app.inject({ method: 'POST', url: '/api/playback/stop', headers: { authorization } })
  for (let n = 0; n < 30; n += 1) await stop(n % 2 ? '' : `Bearer ${'0'.repeat(64)}`)
  assert.equal((await stop('')).statusCode, 429)
  assert.equal((await stop(`Bearer ${'1'.repeat(64)}`)).statusCode, 429)
  assert.equal((await post('/playback/stop')).statusCode, 200)
})

test('polls of others at the same address leave the owner’s own', async (t) => {
  const { app, get } = await playerFixture(t)
  for (let n = 0; n < 301; n += 1) await get('/playback/status')
  assert.equal((await get('/playback/status')).statusCode, 429)
  const headers = { authorization: `Bearer ${TOKEN}` }
  assert.equal((await app.inject({ url: '/api/rfid/cards', headers })).statusCode, 200)
})

test('the owner’s own commands have their budget too', async (t) => {
  const { post } = await playerFixture(t)
  for (let n = 0; n < 20; n += 1) assert.equal((await post('/playback/stop')).statusCode, 200)
  assert.equal((await post('/playback/stop')).statusCode, 429)
})

test('PLAYER_TRUSTED_PROXIES: behind a trusted proxy clients are told apart, others cannot pretend', async (t) => {
  const { app } = await playerFixture(t, { network: { trustedProxies: ['10.0.0.0/8'] } })
  const from = (remoteAddress: string, forwarded: string) =>
    app.inject({
      ...{ method: 'POST', url: '/api/playback/stop', remoteAddress },
      headers: { 'x-forwarded-for': forwarded },
    })
  for (let n = 0; n < 21; n += 1) {
    await from('10.0.0.1', '192.168.1.20')
    await from('192.168.1.66', `198.51.100.${n}`)
  }
  assert.equal((await from('10.0.0.1', '192.168.1.20')).statusCode, 429)
  assert.equal((await from('10.0.0.1', '192.168.1.21')).statusCode, 401)
  assert.equal((await from('192.168.1.66', '198.51.100.99')).statusCode, 429)
})

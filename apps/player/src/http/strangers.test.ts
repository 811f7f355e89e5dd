import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { type FixtureOptions, playerFixture, TOKEN } from '../testing/player-fixture.ts'

async function setup(t: TestContext, options: FixtureOptions = {}) {
  const box = await playerFixture(t, options)
  await box.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = box.app.server.address() as AddressInfo
  const sockets: WebSocket[] = []
  t.after(() => {
    for (const socket of sockets) socket.terminate()
  })

  /** The status of a refusal, or 101 when a snapshot came. */
  async function connect(headers: Record<string, string>, localAddress = '127.0.0.1') {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers, localAddress })
    sockets.push(socket)
    socket.on('error', () => {})
    return new Promise<{ status: number; socket: WebSocket }>((resolve) => {
      socket.on('unexpected-response', (_request, reply: IncomingMessage) =>
        resolve({ status: reply.statusCode ?? 0, socket }),
      )
      socket.on('message', () => resolve({ status: 101, socket }))
    })
  }
  return { ...box, port, connect }
}

const REBOUND = { host: 'evil.example', origin: 'http://evil.example' }

test('DNS rebinding: a foreign name that leads to the box is 403 everywhere and learns nothing', async (t) => {
  const { app, connect } = await setup(t)
  for (const [method, url] of [
    ['GET', '/'],
    ['GET', '/api/settings'],
    ['GET', '/api/prayer'],
    ['GET', '/api/nope'],
    ['GET', '/ca.crt'],
    ['OPTIONS', '/api/playback/play'],
    ['POST', '/api/playback/play'],
  ] as const) {
    for (const headers of [REBOUND, { host: REBOUND.host }]) {
      const authorization = `Bearer ${TOKEN}`
      const reply = await app.inject({ method, url, headers: { ...headers, authorization } })
      assert.equal(reply.statusCode, 403, `${method} ${url}`)
      assert.deepEqual(Object.keys(reply.json()), ['error'])
      assert.match(reply.json().error, /^host: .*PLAYER_ORIGINS/)
    }
  }
  assert.equal((await connect(REBOUND)).status, 403)
  assert.equal((await connect({ host: REBOUND.host })).status, 403)
})

test('a page of another site gets neither an answer nor a socket', async (t) => {
  const { app, connect, live } = await setup(t)
  const origin = 'https://evil.example'
  assert.equal((await app.inject({ url: '/api/settings', headers: { origin } })).statusCode, 403)
  assert.equal((await connect({ origin })).status, 403)
  assert.equal((await connect({ origin: 'null' })).status, 403)
  assert.equal(live.clientCount(), 0)
})

test('a page of another site does not use up the budget of the person who looks at it', async (t) => {
  const { app, get } = await setup(t)
  const headers = { origin: 'https://evil.example' }
  for (let n = 0; n < 301; n += 1) await app.inject({ url: '/api/settings', headers })
  assert.equal((await get('/settings')).statusCode, 200)
})

test('the box answers under the name it was just given, and no longer under the old one', async (t) => {
  const { app, post } = await setup(t)
  const ask = async (host: string) =>
    (await app.inject({ url: '/api/system', headers: { host } })).statusCode
  await post('/settings/hostname', { hostname: 'kitchen' })
  assert.equal(await ask('kitchen.local:8443'), 200)
  assert.equal(await ask('hall.local:8443'), 403)
  await post('/settings/hostname', { hostname: 'hall' })
  assert.equal(await ask('hall.local:8443'), 200)
  assert.equal(await ask('kitchen.local:8443'), 403)
})

test('programs without an origin, our own page and configured sites are let in', async (t) => {
  const origins = ['https://player.example.org']
  const { connect, port } = await setup(t, { network: { origins } })
  for (const headers of [
    {},
    { origin: `http://127.0.0.1:${port}` },
    { origin: 'https://player.example.org' },
  ] as Record<string, string>[]) {
    assert.equal((await connect(headers)).status, 101, JSON.stringify(headers))
  }
})

test('one address may hold 128 sockets; another one still gets in', async (t) => {
  const { connect } = await setup(t)
  const held = await Promise.all(Array.from({ length: 128 }, () => connect({})))
  assert.ok(held.every(({ status }) => status === 101))
  assert.equal((await connect({})).status, 429)
  assert.equal((await connect({}, '127.0.0.2')).status, 101)
  const [first] = held
  const closed = once(first?.socket as WebSocket, 'close')
  first?.socket.close()
  await closed
  assert.equal((await connect({})).status, 101)
})

test('only an open dashboard keeps the box awake, not a program that listens', async (t) => {
  const { connect, live, port } = await setup(t)
  await connect({})
  assert.deepEqual([live.clientCount(), live.dashboardCount()], [1, 0])
  await connect({ origin: `http://127.0.0.1:${port}` })
  assert.deepEqual([live.clientCount(), live.dashboardCount()], [2, 1])
})

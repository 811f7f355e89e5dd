import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { playerFixture, TOKEN } from '../testing/player-fixture.ts'

async function playing(t: TestContext) {
  const box = await playerFixture(t)
  await box.app.listen({ port: 0, host: '127.0.0.1' })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  const { port } = box.app.server.address() as AddressInfo
  const sockets: net.Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    ...box,
    async connect(text: string) {
      const socket = net.connect(port, '127.0.0.1')
      socket.on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write(text)
      return socket
    },
    /** What a real client gets while the others misbehave. */
    async answers() {
      const reply = await fetch(`http://127.0.0.1:${port}/api/playback/status`)
      return ((await reply.json()) as { state: string }).state
    },
  }
}

const HOSTILE: [what: string, text: string][] = [
  ['headers that never end', 'GET /api/system HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
  [
    'a body that never comes',
    `POST /api/playback/play HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  ],
  [
    'a WebSocket that is never finished',
    'GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n',
  ],
  ['nothing at all', ''],
]

for (const [what, text] of HOSTILE) {
  test(`a hundred clients with ${what} stop neither playback nor the others`, async (t) => {
    const { answers, clock, connect, next } = await playing(t)
    for (let n = 0; n < 100; n += 1) await connect(text)
    assert.equal(await answers(), 'playing')
    const progress = next('progress')
    clock.advance(1_000)
    await progress
  })
}

test('a body of 100 MB is refused at its announcement, not read', async (t) => {
  const { answers, connect } = await playing(t)
  const socket = await connect(
    `POST /api/playback/play HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n`,
  )
  const [chunk] = await once(socket, 'data')
  assert.match(String(chunk), /^HTTP\/1\.1 400 [\s\S]*"body: is too large"/)
  assert.equal(await answers(), 'playing')
})

test('headers beyond every measure are refused in the error shape', async (t) => {
  const { answers, connect } = await playing(t)
  const socket = await connect(`GET /api/system HTTP/1.1\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`)
  const [chunk] = await once(socket, 'data')
  assert.match(String(chunk), /^HTTP\/1\.1 400 [\s\S]*\{"error":/)
  assert.equal(await answers(), 'playing')
})

const HANDSHAKE =
  'GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

test('WebSocket frames of any bytes end at most their own connection', async (t) => {
  const { answers, connect, live } = await playing(t)
  const bystander = await connect(HANDSHAKE)
  await once(bystander, 'data')
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const socket = await connect(HANDSHAKE)
      await once(socket, 'data')
      const closed = once(socket, 'close')
      socket.end(bytes)
      socket.resume()
      await closed
    }),
    { numRuns: 500 },
  )
  assert.equal(await answers(), 'playing')
  assert.equal(bystander.closed, false)
  assert.ok(live.clientCount() >= 1)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import { playerFixture } from '../testing/player-fixture.ts'

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const HANDSHAKE = `GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${KEY}\r\n\r\n`
const RUNS = 300

/** A box that plays, somebody who listens to it, and raw connections. */
async function playing(t: TestContext) {
  // Before the box is closed, which waits for whoever is connected.
  const sockets = new Set<net.Socket>()
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  const box = await playerFixture(t)
  await box.app.listen({ port: 0, host: '127.0.0.1' })
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  const { port } = box.app.server.address() as AddressInfo
  const listener = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  t.after(() => listener.terminate())
  await once(listener, 'message')

  async function connect(bytes: string | Uint8Array) {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }

  /** Sends all of it and waits for the end, however it comes: a reset is an end too. */
  async function send(bytes: string | Uint8Array) {
    const socket = await connect(bytes)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume().end()
    await closed
  }

  /** The box answers, plays on, and tells its listener. */
  async function isWell() {
    const told = once(listener, 'message')
    box.events.emit('volume', { volume: 7 })
    assert.match(String((await told)[0]), /"volume":7/)
    const reply = await fetch(`http://127.0.0.1:${port}/api/playback/status`)
    assert.equal(((await reply.json()) as { state: string }).state, 'playing')
  }
  return { ...box, connect, send, isWell }
}

type Frame = {
  isLast: boolean
  reserved: number
  opcode: number
  isMasked: boolean
  payload: Uint8Array
  /** What its header says, which may be a lie. */
  length: bigint
  width: 7 | 16 | 64
}

const TEXTS = ['{', 'null', '[[[[', '{"event":"volume","data":{"volume":100}}', 'play'].map(
  (text) => Buffer.from(text),
)
const payloads = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.constantFrom<Uint8Array>(...TEXTS),
  // Around the most that is taken, and far beyond it.
  fc.constantFrom(4_095, 4_096, 4_097, 70_000).map((bytes) => new Uint8Array(bytes)),
)
const frames: fc.Arbitrary<Frame> = fc
  .record({
    isLast: fc.boolean(),
    reserved: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat({ max: 7 })),
    opcode: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 8, 9, 10) },
      fc.nat({ max: 15 }),
    ),
    isMasked: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    payload: payloads,
    lie: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { freq: 4 }),
    width: fc.constantFrom(7 as const, 16 as const, 64 as const),
  })
  .map(({ lie, ...frame }) => ({ ...frame, length: lie ?? BigInt(frame.payload.length) }))

function bytesOf({ isLast, reserved, opcode, isMasked, payload, length, width }: Frame): Buffer {
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  const mask = isMasked ? 0x80 : 0
  const wide = Buffer.alloc(8)
  wide.writeBigUInt64BE(length)
  const header = {
    7: () => [first, mask | Number(length % 126n)],
    16: () => [first, mask | 126, ...wide.subarray(6)],
    64: () => [first, mask | 127, ...wide],
  }[width]()
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([Buffer.from(header), Buffer.alloc(isMasked ? 4 : 0), payload])
}

test('frames of every shape, right and wrong, end at most their own connection', async (t) => {
  const { send, isWell, live } = await playing(t)
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { minLength: 1, maxLength: 6 }), async (sent) => {
      // Some of it comes with the handshake, before anybody is there to read it.
      await send(Buffer.concat([Buffer.from(HANDSHAKE), ...sent.map(bytesOf)]))
    }),
    { numRuns: RUNS },
  )
  await isWell()
  assert.equal(live.clientCount(), 1, 'nobody is left of them')
})

const headers = fc.constantFrom(
  ...['connection: Upgrade', 'connection: close', 'upgrade: websocket', 'upgrade: h2c, websocket'],
  ...['sec-websocket-version: 13', 'sec-websocket-version: 99', `sec-websocket-key: ${KEY}`],
  ...['sec-websocket-key: x', 'sec-websocket-protocol: ,,', 'sec-websocket-extensions: a;b="'],
  ...['origin: http://evil.example', 'content-length: 5', 'transfer-encoding: chunked'],
  'sec-websocket-extensions: permessage-deflate; server_max_window_bits=99',
)
const upgrades = fc.record({
  method: fc.constantFrom('GET', 'POST', 'OPTIONS'),
  path: fc.constantFrom('/ws', '/api/ws', '/ws/../ws', '//ws', '/ws?token=%', '*', '/nope'),
  sent: fc.array(headers, { maxLength: 8 }),
  end: fc.constantFrom('\r\n\r\n', '\r\n', '\r\n\r\n\0\0\0', '\r\n\r\nGET / HTTP/1.1\r\n\r\n'),
})

test('upgrades that are broken, refused or half sent leave nothing behind', async (t) => {
  const { send, isWell, live } = await playing(t)
  await fc.assert(
    fc.asyncProperty(upgrades, async ({ method, path, sent, end }) => {
      const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...sent]
      await send(lines.join('\r\n') + end)
    }),
    { numRuns: RUNS },
  )
  await isWell()
  assert.equal(live.clientCount(), 1, 'nobody is left of them')
})

test('who is refused and keeps its end open loses the connection', async (t) => {
  const { app, connect } = await playing(t)
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  const before = await connections()
  let came = 0
  app.server.on('connection', () => {
    came += 1
  })
  const withoutKey = HANDSHAKE.replace(KEY, '')
  for (const text of [HANDSHAKE.replace('/ws', '/nope'), withoutKey, 'nonsense\r\n\r\n']) {
    const socket = await connect(text)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 40[04] .*\{"error":"[^"]+"\}$/s)
  }
  // On a busy machine the first may be gone before the others are refused.
  assert.equal(came, 3)
  const patience = Date.now() + 60_000
  while ((await connections()) > before) {
    assert.ok(Date.now() < patience, 'they are still there')
    await pause(20)
  }
})

test('pings of one who reads nothing are not all answered, and it is answered when it reads', async (t) => {
  const { connect, isWell } = await playing(t)
  const ping = (text: string) =>
    bytesOf({
      ...{ isLast: true, reserved: 0, opcode: 9, isMasked: true, width: 7 },
      ...{ payload: Buffer.from(text), length: BigInt(text.length) },
    })
  const socket = await connect(HANDSHAKE)
  await once(socket, 'data')
  socket.pause()
  // More than the kernel keeps for a connection in both directions.
  const flood = Buffer.concat(Array<Buffer>(1_000).fill(ping('x'.repeat(125))))
  const sentBytes = 400 * flood.length
  for (let n = 0; n < 400; n += 1) {
    if (!socket.write(flood)) await once(socket, 'drain')
  }
  await isWell()

  let answered = 0
  const last = Promise.withResolvers<void>()
  socket.on('data', (bytes: Buffer) => {
    answered += bytes.length
    if (bytes.includes('the last')) last.resolve()
  })
  socket.resume()
  const asking = setInterval(() => socket.write(ping('the last')), 20)
  t.after(() => clearInterval(asking))
  await last.promise
  assert.ok(answered < sentBytes / 2, `${answered} of ${sentBytes} bytes were answered`)
  await isWell()
})

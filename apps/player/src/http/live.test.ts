import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { playerFixture } from '../testing/player-fixture.ts'

async function setup(t: TestContext) {
  const box = await playerFixture(t)
  await box.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...box, port: (box.app.server.address() as AddressInfo).port }
}

function client(port: number, path = '/ws') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
  const messages: { event: string; data: Record<string, unknown> }[] = []
  const waiting: { event: string; resolve: (data: Record<string, unknown>) => void }[] = []
  socket.on('message', (raw) => {
    const message = JSON.parse(String(raw))
    messages.push(message)
    const index = waiting.findIndex(({ event }) => event === message.event)
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(message.data)
  })
  return {
    socket,
    messages,
    next: (event: string) =>
      new Promise<Record<string, unknown>>((resolve) => waiting.push({ event, resolve })),
  }
}

for (const path of ['/ws', '/api/ws']) {
  test(`GET ${path} sends a snapshot first, then every mutation as one event`, async (t) => {
    const { port, post } = await setup(t)
    const listener = client(port, path)
    const snapshot = await listener.next('snapshot')
    for (const part of ['playback', 'library', 'reciters', 'favorites', 'stations', 'system']) {
      assert.ok(part in snapshot, part)
    }
    const volume = listener.next('volume')
    await post('/playback/volume', { volume: 33 })
    assert.deepEqual(await volume, { volume: 33 })
    const playback = listener.next('playback')
    await post('/playback/play', { path: 'Husary/001.mp3' })
    assert.equal((await playback).state, 'playing')
    const mode = listener.next('mode')
    await post('/playback/mode', { mode: 'continuous' })
    assert.equal((await mode).advance_mode, 'continuous')
    assert.deepEqual(
      listener.messages.map(({ event }) => event),
      ['snapshot', 'volume', 'playback', 'mode'],
    )
    listener.socket.close()
  })
}

test('progress comes once a second, only while something plays', async (t) => {
  const { audio, clock, port, post } = await setup(t)
  const listener = client(port)
  await listener.next('snapshot')
  clock.advance(5_000)
  await post('/playback/play', { path: 'Husary/001.mp3' })
  audio.playTo(1_000)
  const progress = listener.next('progress')
  clock.advance(1_000)
  assert.deepEqual(await progress, { position: 1_000, duration: 60_000 })
  const paused = listener.next('playback')
  await post('/playback/pause')
  await paused
  clock.advance(5_000)
  const last = listener.next('volume')
  await post('/playback/volume', { volume: 1 })
  await last
  assert.equal(listener.messages.filter(({ event }) => event === 'progress').length, 1)
  listener.socket.close()
})

test('100 clients, one of which has stopped reading, see each event', async (t) => {
  const { events, port } = await setup(t)
  const stopped = client(port)
  await stopped.next('snapshot')
  stopped.socket.pause()
  // More than the kernel and the queue hold, so that what follows meets a stalled reader.
  const bulk = 'x'.repeat(64 * 1024)
  for (let n = 0; n < 300; n += 1) events.emit('settings', { bulk, n: -1 } as never)

  const readers = Array.from({ length: 99 }, () => client(port))
  await Promise.all(readers.map((one) => one.next('snapshot')))
  const rounds = 50
  for (let n = 0; n < rounds; n += 1) {
    const seen = Promise.all(readers.map((one) => one.next('settings')))
    events.emit('settings', { n } as never)
    assert.ok((await seen).every((data) => data.n === n))
  }

  const caughtUp = stopped.next('volume')
  events.emit('volume', { volume: 7 })
  stopped.socket.resume()
  assert.deepEqual(await caughtUp, { volume: 7 })
  const seen = stopped.messages.filter(({ event }) => event === 'settings')
  assert.ok(seen.length < 300, `it was spared old news (got ${seen.length})`)
  assert.equal(seen.at(-1)?.data.n, rounds - 1, 'but not the latest')
  for (const { socket } of [stopped, ...readers]) socket.close()
})

test('a client that reads nothing for 30 s is closed', async (t) => {
  const { clock, events, live, port } = await setup(t)
  const stopped = client(port)
  await stopped.next('snapshot')
  stopped.socket.pause()
  const bulk = 'x'.repeat(64 * 1024)
  for (let n = 0; n < 200; n += 1) events.emit('settings', { n, bulk } as never)
  assert.equal(live.clientCount(), 1)
  clock.advance(29_000)
  events.emit('settings', { bulk } as never)
  assert.equal(live.clientCount(), 1)
  const closed = once(stopped.socket, 'close')
  clock.advance(2_000)
  events.emit('settings', { bulk } as never)
  stopped.socket.resume()
  await closed
})

test('a client that vanished without a word is dropped by the heartbeat', async (t) => {
  const { clock, live, port } = await setup(t)
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(socket, 'data')
  assert.equal(live.clientCount(), 1)
  const closed = once(socket, 'close')
  clock.advance(30_000)
  clock.advance(30_000)
  await closed
})

test('an upgrade elsewhere is 404 in the error shape, and a broken one harms nobody', async (t) => {
  const { get, port } = await setup(t)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/nope`)
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number },
  ]
  let body = ''
  for await (const chunk of response) body += chunk
  assert.equal(response.statusCode, 404)
  assert.deepEqual(Object.keys(JSON.parse(body)), ['error'])

  const raw = net.connect(port, '127.0.0.1')
  raw.on('error', () => {})
  raw.end(
    'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  // What nobody reads keeps a connection from being closed.
  raw.resume()
  await once(raw, 'close')
  assert.equal((await get('/system')).statusCode, 200)
})

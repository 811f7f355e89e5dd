import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '@manara/kit/testing/free-port'
import { connectAsync } from 'mqtt'
import { createMqttBroker } from '../../adapters/mqtt-broker.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const ID = 'manara_0badcafe'
const BASE = `manara/${ID}`

async function broker(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mosquitto-'))
  const port = await freePort()
  const config = path.join(folder, 'mosquitto.conf')
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`)
  const child = spawn('/usr/sbin/mosquitto', ['-c', config], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  t.after(async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true })
  })
  while (!(await answers(port))) await new Promise(setImmediate)
  return { url: `mqtt://127.0.0.1:${port}` }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Somebody in the house who hears everything and can wait for what they want to hear. */
async function listener(t: TestContext, url: string) {
  const client = await connectAsync(url)
  t.after(() => client.endAsync(true))
  const heard = new Map<string, string>()
  const waiting = new Set<() => void>()
  client.on('message', (topic, payload) => {
    heard.set(topic, String(payload))
    for (const look of [...waiting]) look()
  })
  await client.subscribeAsync('#')
  return {
    client,
    until: (topic: string, isIt: (payload: string) => boolean) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const payload = heard.get(topic)
          if (payload === undefined || !isIt(payload)) return
          waiting.delete(look)
          resolve(payload)
        }
        waiting.add(look)
        look()
      }),
  }
}

async function boxInHouse(t: TestContext) {
  const { url } = await broker(t)
  const house = {
    ...{ id: ID, topic: 'manara', discoveryPrefix: 'homeassistant' },
    openBroker: createMqttBroker(url, ID),
  }
  const clock = createManualClock(Date.parse('2025-09-12T09:00:00Z'))
  const ear = await listener(t, url)
  const box = await playerFixture(t, { clock, house })
  await ear.until(`${BASE}/availability`, (payload) => payload === 'online')
  /** The state once it is as wanted; the clock is turned so that what changed is told. */
  const state = async (isIt: (state: Record<string, unknown>) => boolean) => {
    clock.advance(100)
    return JSON.parse(await ear.until(`${BASE}/state`, (payload) => isIt(JSON.parse(payload))))
  }
  const send = (verb: string, payload = 'PRESS', retain = false) =>
    ear.client.publishAsync(`${BASE}/command/${verb}`, payload, { qos: 1, retain })
  return { ...box, ear, state, send, url, clock }
}

test('Home Assistant is told what the box is, and every topic it names is used', async (t) => {
  const { ear } = await boxInHouse(t)
  const config = JSON.parse(await ear.until(`homeassistant/device/${ID}/config`, () => true))
  assert.deepEqual(config.device.identifiers, [ID])
  assert.equal(config.availability_topic, `${BASE}/availability`)
  const told = JSON.parse(await ear.until(`${BASE}/state`, () => true))
  for (const [name, component] of Object.entries<Record<string, string>>(config.components)) {
    assert.ok(component.p && component.unique_id && component.name, name)
    const field = /value_json\.(\w+)/.exec(component.value_template ?? '')?.[1]
    if (field) assert.ok(field in told, field)
  }
})

test('the state follows what plays, the volume and the next prayer, without a word of where the box is', async (t) => {
  const { post, state } = await boxInHouse(t)
  await post('/prayer/config', { lat: 30.03, lng: 31.21, method: 2 })
  await post('/playback/play', { path: 'Husary/002.mp3' })
  await post('/playback/volume', { volume: 33 })
  const told = await state(({ volume }) => volume === 33)
  assert.deepEqual(
    [told.state, told.now_playing, told.reciter, told.next_prayer, told.next_prayer_at],
    ['playing', 'Al-Baqarah', 'Husary', 'dhuhr', '2025-09-12T09:51:00.000Z'],
  )
  assert.doesNotMatch(JSON.stringify(told), /30\.03|31\.21/)
})

test('commands are obeyed; what is none, and what was kept from before, is not', async (t) => {
  const box = await boxInHouse(t)
  await box.post('/playback/play', { path: 'Husary/001.mp3' })
  let told = box.next('playback')
  await box.send('play_pause')
  await told
  assert.equal((await box.get('/playback/status')).json().state, 'paused')
  for (const [verb, payload] of [
    ['volume', '101'],
    ['volume', '-1'],
    ['volume', 'loud'],
    ['mode', 'hifz_ab'],
    ['reset', 'PRESS'],
  ] as const)
    await box.send(verb, payload)
  told = box.next('volume')
  await box.send('volume', '42')
  assert.deepEqual(await told, { volume: 42 })
  told = box.next('mode')
  await box.send('mode', 'continuous')
  assert.equal(((await told) as { mode: string }).mode, 'continuous')
})

test('a box whose plug is pulled is missed by its last will', async (t) => {
  const { url } = await broker(t)
  const ear = await listener(t, url)
  const sockets: Socket[] = []
  // The cable between the box and the broker.
  const cable = createServer((near) => {
    const far = connectSocket(Number(new URL(url).port), '127.0.0.1')
    sockets.push(near, far)
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(cable, 'listening')
  const { port } = cable.address() as AddressInfo
  const ready = new Promise<void>((resolve) => {
    void createMqttBroker(
      `mqtt://127.0.0.1:${port}`,
      ID,
    )({
      will: { topic: `${BASE}/availability`, payload: 'offline' },
      subscribe: [`${BASE}/command/+`],
      onConnect: resolve,
      onMessage: () => {},
      onProblem: () => {},
    }).then((session) => t.after(() => session.close()))
  })
  await ready
  cable.close()
  for (const socket of sockets) socket.destroy()
  await ear.until(`${BASE}/availability`, (payload) => payload === 'offline')
})

test('a box that stops says goodbye', async (t) => {
  const box = await boxInHouse(t)
  await box.close()
  await box.ear.until(`${BASE}/availability`, (payload) => payload === 'offline')
})

test('a retained command does not move a box that comes later', async (t) => {
  const first = await boxInHouse(t)
  await first.send('volume', '7', true)
  await first.close()
  await first.ear.until(`${BASE}/availability`, (payload) => payload === 'offline')
  const house = {
    ...{ id: ID, topic: 'manara', discoveryPrefix: 'homeassistant' },
    openBroker: createMqttBroker(first.url, ID),
  }
  const second = await playerFixture(t, { house })
  await first.ear.until(`${BASE}/availability`, (payload) => payload === 'online')
  const told = second.next('volume')
  await first.send('volume', '61')
  assert.deepEqual(await told, { volume: 61 })
})

test('without a broker the box starts, and tells the owner', async (t) => {
  const port = await freePort()
  const house = {
    ...{ id: ID, topic: 'manara', discoveryPrefix: 'homeassistant' },
    openBroker: createMqttBroker(`mqtt://user:geheim@127.0.0.1:${port}`, ID),
  }
  const { get } = await playerFixture(t, { house })
  const failures = async () => JSON.stringify((await get('/system')).json().boot_failures)
  while (!(await failures()).includes('mqtt')) await new Promise(setImmediate)
  assert.doesNotMatch(await failures(), /geheim/)
})

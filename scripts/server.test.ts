import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { playerDocument } from '../apps/player/src/openapi-document.ts'
import { processFixture } from '../packages/kit/src/testing/service-process.ts'
import { ensureServer } from './server.ts'

const MEDIA = fileURLToPath(new URL('../apps/player/src/adapters/testing/media/', import.meta.url))
const RECORDINGS = ['sweep-vbr-stereo.mp3', 'sweep.flac', 'sweep.ogg', 'sweep.opus', 'sweep.wav']
/** The kind of packet that an MQTT client begins with. */
const CONNECT = 0x10

async function listeningBroker(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { promise: firstByte, resolve } = Promise.withResolvers<number | undefined>()
  server.on('connection', (socket) => {
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    socket.once('data', ([first]: Buffer) => resolve(first))
  })
  return { url: `mqtt://127.0.0.1:${port}`, firstByte }
}

test('the bundle plays every kind, draws, calls its broker, knows its cities and describes itself as the sources do', async (t) => {
  const broker = await listeningBroker(t)
  const entry = await ensureServer('player')
  assert.equal(entry, 'apps/player/dist/main.js')
  const { env, start } = processFixture(t, pathToFileURL(entry), (folder) => ({
    PLAYER_HOST: '127.0.0.1',
    PLAYER_PORT: '0',
    PLAYER_TLS: 'off',
    PLAYER_DATA: path.join(folder, 'data'),
    PLAYER_CARD: path.join(folder, 'card'),
    PLAYER_AUDIO: 'embedded',
    PLAYER_SINK: `capture:${path.join(folder, 'heard')}`,
    PLAYER_MQTT_URL: broker.url,
  }))
  mkdirSync(path.join(env.PLAYER_CARD, 'Husary'), { recursive: true })
  for (const name of RECORDINGS) {
    copyFileSync(path.join(MEDIA, name), path.join(env.PLAYER_CARD, 'Husary', name))
  }
  const player = start()
  const [, address = ''] = await player.printed(/player {4}(http\S+)/)
  const [, token] = await player.printed(/device token: (\w{64})/)
  const authorization = `Bearer ${token}`
  const get = (url: string) => fetch(`${address}${url}`, { headers: { authorization } })

  for (const name of RECORDINGS) {
    const played = await fetch(`${address}/api/playback/play`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ path: `Husary/${name}` }),
    })
    const { state } = (await played.json()) as { state?: string }
    assert.deepEqual([name, played.status, state], [name, 200, 'playing'])
  }

  assert.equal(await broker.firstByte, CONNECT)

  const cities = await (await get('/api/prayer/cities?q=cairo')).text()
  assert.match(cities, /Cairo/)
  const picture = Buffer.from(await (await get('/api/debug/screenshot')).arrayBuffer())
  assert.equal(picture.toString('latin1', 0, 2), 'BM', picture.toString())
  assert.match(await (await get('/api/docs/static/swagger-ui.css')).text(), /swagger-ui/)
  assert.deepEqual(await (await get('/api/openapi.json')).json(), await playerDocument())
  assert.match(await (await get('/')).text(), /<title>Manara<\/title>/)

  // Two bytes a letter, should one letter of it not be plain.
  assert.match(readFileSync(entry, 'latin1'), /^[\0-\x7f]*$/)
})

test('what runs until it is ended takes the place of its shell: npm passes a signal on to that alone', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const name of [
    'start',
    'player',
    'player:device',
    'soc',
    'edr:reference',
    'demo:incident',
  ]) {
    assert.match(scripts[name].split(' && ').at(-1), /^(\w+=\S+ )*exec node /, name)
  }
})

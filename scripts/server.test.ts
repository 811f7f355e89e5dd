import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { playerDocument } from '../apps/player/src/openapi-document.ts'
import { processFixture } from '../packages/kit/src/testing/service-process.ts'
import { ensureServer } from './server.ts'

const MEDIA = fileURLToPath(new URL('../apps/player/src/adapters/testing/media/', import.meta.url))
const RECORDINGS = ['sweep-vbr-stereo.mp3', 'sweep.flac', 'sweep.ogg', 'sweep.opus', 'sweep.wav']

test('the bundle plays every kind, draws, knows its cities and describes itself as the sources do', async (t) => {
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

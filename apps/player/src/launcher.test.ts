import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  isRunning,
  processFixture,
  type ServiceProcess,
  untilGone,
} from '@manara/kit/testing/service-process'
import { ENTRY } from './features/ota/slots.ts'
import { pemOf, sampleImage, updateKey } from './features/ota/testing/sample-image.ts'
import { listen } from './testing/local-server.ts'
import { quietBox } from './testing/quiet-box.ts'
import { selfSigned } from './testing/self-signed.ts'

const LAUNCHER = new URL('./launcher.ts', import.meta.url)
const READY = /player {4}(http:\/\/\S+)/g
const KEY = updateKey()
const BROKEN = `
  import { DatabaseSync } from 'node:sqlite'
  const store = new DatabaseSync(process.env.PLAYER_DATA + '/player.db')
  store.exec("DELETE FROM stations; UPDATE device SET value = 'lost'; PRAGMA user_version = 999")
  console.log('broken version up')
  process.exit(1)`

/** A server in the own network that has a version that dies. */
async function updateServer(t: TestContext) {
  const pair = selfSigned(['localhost', '127.0.0.1'])
  const files = { [ENTRY]: BROKEN, 'package.json': '{"type":"module"}' }
  const image = sampleImage({ key: KEY.privateKey, version: '99.0.0', files })
  const server = https.createServer(pair, (_request, reply) => reply.end(image))
  return { cert: pair.cert, port: await listen(t, server) }
}

/** The address of the player after its n-th start. */
async function address(launcher: ServiceProcess, start: number): Promise<string> {
  await launcher.printed(new RegExp(`(player {4}http[\\s\\S]*){${start}}card`))
  return `${[...launcher.output().matchAll(READY)][start - 1]?.[1]}/api`
}

const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>

test('a version that dies is tried twice, then the one before is back; both end with the launcher', async (t) => {
  const { cert, port } = await updateServer(t)
  const { start } = processFixture(t, LAUNCHER, (folder) => {
    const [keys, ca] = [path.join(folder, 'keys.pem'), path.join(folder, 'tls.crt')]
    writeFileSync(keys, pemOf(KEY.publicKey))
    writeFileSync(ca, cert)
    const updates = { PLAYER_OTA_KEYS: keys, PLAYER_OTA_ALLOW: '127.0.0.1', PLAYER_OTA_CA: ca }
    return { ...quietBox(folder), ...updates }
  })
  const launcher = start()
  const first = await address(launcher, 1)
  const [, token] = await launcher.printed(/device token: ([0-9a-f]{64})/)
  const send = (url: string, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send(`${first}/radio/stations`, { name: 'kept', url: 'http://radio.example/' })
  const refused = await send(`${first}/ota/pull`, { url: `https://localhost:${port}/player.img` })
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /url: localhost: .* is not an address of the open internet/)
  const begun = await send(`${first}/ota/pull`, { url: `https://127.0.0.1:${port}/player.img` })
  assert.equal(begun.status, 200, await begun.text())

  const second = await address(launcher, 2)
  assert.equal(launcher.output().match(/broken version up/g)?.length, 2)
  assert.match(
    launcher.output(),
    /starting factory[\s\S]*starting a\n[\s\S]*starting a\n[\s\S]*starting fac/,
  )
  const status = await read(`${second}/ota/status`)
  assert.equal(status.status, 'rolled_back')
  assert.match(String(status.error), /^99\.0\.0 was rolled back/)
  const { stations } = (await read(`${second}/radio/stations`)) as { stations: { name: string }[] }
  assert.deepEqual(
    stations.map(({ name }) => name),
    ['kept'],
  )
  assert.equal((await send(`${second}/playback/stop`, {})).status, 200)
  const since = launcher.output().slice(launcher.output().indexOf('broken version up'))
  assert.doesNotMatch(since, /[0-9a-f]{64}/)

  const another = start()
  assert.notEqual((await another.ended).code, 0)
  assert.match(another.output(), /^launcher: data directory .* is in use/)
  const [player = 0] = launcher.children()
  assert.ok(isRunning(player))
  assert.deepEqual(await launcher.end('SIGTERM'), { code: 0, signal: null })
  await untilGone(player)
  const killed = start()
  await address(killed, 1)
  const [orphan = 0] = killed.children()
  await killed.end('SIGKILL')
  await untilGone(orphan)
})

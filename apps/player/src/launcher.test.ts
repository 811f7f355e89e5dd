import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  isRunning,
  type ServiceProcess,
  startProcess,
  untilGone,
} from '@manara/kit/testing/service-process'
import { ENTRY } from './features/ota/slots.ts'
import { pemOf, sampleImage, updateKey } from './features/ota/testing/sample-image.ts'
import { selfSigned } from './testing/self-signed.ts'

const LAUNCHER = new URL('./launcher.ts', import.meta.url)
const READY = /player {4}(http:\/\/\S+)/g
const KEY = updateKey()

function setup(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'launcher-'))
  const keys = path.join(root, 'keys.pem')
  writeFileSync(keys, pemOf(KEY.publicKey))
  const started: ServiceProcess[] = []
  t.after(async () => {
    for (const one of started) await one.end('SIGTERM')
    rmSync(root, { recursive: true, force: true })
  })
  return {
    start(more: Record<string, string> = {}) {
      const launcher = startProcess(LAUNCHER, {
        PLAYER_HOST: '127.0.0.1',
        PLAYER_PORT: '0',
        PLAYER_TLS: 'off',
        PLAYER_DATA: path.join(root, 'data'),
        PLAYER_CARD: path.join(root, 'card'),
        PLAYER_AUDIO: 'embedded',
        PLAYER_SINK: 'null',
        PLAYER_OTA_KEYS: keys,
        ...more,
      })
      started.push(launcher)
      return launcher
    },
  }
}

/** The address of the player after its n-th start. */
async function address(launcher: ServiceProcess, start: number): Promise<string> {
  await launcher.printed(new RegExp(`(player {4}http[\\s\\S]*){${start}}card`))
  return `${[...launcher.output().matchAll(READY)][start - 1]?.[1]}/api`
}

const read = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>

test('a version that dies is tried twice, then the one before is back with its state and token', async (t) => {
  const launcher = setup(t).start()
  const first = await address(launcher, 1)
  const [, token] = await launcher.printed(/device token: ([0-9a-f]{64})/)
  const authorization = `Bearer ${token}`
  const station = { name: 'kept', url: 'http://radio.example/' }
  await fetch(`${first}/radio/stations`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(station),
  })
  const broken = `
    import { DatabaseSync } from 'node:sqlite'
    const store = new DatabaseSync(process.env.PLAYER_DATA + '/player.db')
    store.exec("DELETE FROM stations; UPDATE device SET value = 'lost'; PRAGMA user_version = 999")
    console.log('broken version up')
    process.exit(1)`
  const image = sampleImage({
    key: KEY.privateKey,
    version: '99.0.0',
    files: { [ENTRY]: broken, 'package.json': '{"type":"module"}' },
  })
  const upload = await fetch(`${first}/ota/upload`, {
    method: 'POST',
    headers: { authorization },
    body: new Uint8Array(image),
  })
  assert.equal(upload.status, 200, await upload.text())

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
  const call = await fetch(`${second}/playback/stop`, {
    method: 'POST',
    headers: { authorization },
  })
  assert.equal(call.status, 200)
  assert.doesNotMatch(launcher.output().slice(launcher.output().indexOf('99.0.0')), /[0-9a-f]{64}/)
})

test('SIGTERM ends launcher and player with exit 0; kill -9 of the launcher ends the player too', async (t) => {
  const { start } = setup(t)
  const first = start()
  await address(first, 1)
  const second = start()
  assert.notEqual((await second.ended).code, 0)
  assert.match(second.output(), /^launcher: data directory .* is in use/)

  const [player = 0] = first.children()
  assert.ok(isRunning(player))
  assert.deepEqual(await first.end('SIGTERM'), { code: 0, signal: null })
  await untilGone(player)

  const third = start()
  await address(third, 1)
  const [orphan = 0] = third.children()
  await third.end('SIGKILL')
  await untilGone(orphan)
})

test('POST /ota/pull from an allowed server in the own network starts what it sent', async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'update-server-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const pair = selfSigned(['localhost', '127.0.0.1'])
  writeFileSync(path.join(root, 'tls.crt'), pair.cert)
  const image = sampleImage({
    key: KEY.privateKey,
    version: '99.0.0',
    files: {
      [ENTRY]: "console.log('pulled version up'); setInterval(() => {}, 1000)",
      'package.json': '{"type":"module"}',
    },
  })
  const server = https.createServer(pair, (_request, reply) => reply.end(image))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo

  const launcher = setup(t).start({
    PLAYER_OTA_ALLOW: '127.0.0.1',
    PLAYER_OTA_CA: path.join(root, 'tls.crt'),
  })
  const box = await address(launcher, 1)
  const [, token] = await launcher.printed(/device token: ([0-9a-f]{64})/)
  const pull = (url: string) =>
    fetch(`${box}/ota/pull`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    })
  const refused = await pull(`https://localhost:${port}/player.img`)
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /url: localhost: .* is not an address of the open internet/)
  const begun = await pull(`https://127.0.0.1:${port}/player.img`)
  assert.equal(begun.status, 200, await begun.text())
  await launcher.printed(/starting a\n[\s\S]*pulled version up/)
})

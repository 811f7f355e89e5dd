import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startProcess } from '../packages/kit/src/testing/service-process.ts'

const BUILD = fileURLToPath(new URL('./firmware-build.ts', import.meta.url))
const LAUNCHER = new URL('../apps/player/src/launcher.ts', import.meta.url)

function setup(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'firmware-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const key = path.join(root, 'key')
  return {
    root,
    key,
    build: (...args: string[]) =>
      spawnSync(process.execPath, [BUILD, '--key', key, ...args], { encoding: 'utf8' }),
  }
}

test('--new-key makes a pair that only its owner can read, and never writes over one', (t) => {
  const { build, key } = setup(t)
  assert.equal(build('--new-key').status, 0)
  assert.equal(statSync(key).mode & 0o777, 0o600)
  assert.match(readFileSync(`${key}.pub`, 'utf8'), /BEGIN PUBLIC KEY/)
  const before = readFileSync(key)
  assert.notEqual(build('--new-key').status, 0)
  assert.deepEqual(readFileSync(key), before)
})

test('the image of this checkout is installed by the launcher, proves itself and is kept', async (t) => {
  const { build, key, root } = setup(t)
  build('--new-key')
  const out = path.join(root, 'player.img')
  const built = build('--out', out, '--version', '98.7.6')
  assert.equal(built.status, 0, built.stderr)
  assert.match(built.stdout, /version 98\.7\.6 for linux-/)

  const launcher = startProcess(LAUNCHER, {
    PLAYER_HOST: '127.0.0.1',
    PLAYER_PORT: '0',
    PLAYER_TLS: 'off',
    PLAYER_DATA: path.join(root, 'data'),
    PLAYER_CARD: path.join(root, 'card'),
    PLAYER_AUDIO: 'embedded',
    PLAYER_SINK: 'null',
    PLAYER_OTA_KEYS: `${key}.pub`,
    PLAYER_OTA_CONFIRM: '0',
  })
  try {
    const [, first] = await launcher.printed(/player {4}(http\S+)/)
    const [, token] = await launcher.printed(/device token: (\w{64})/)
    const upload = await fetch(`${first}/api/ota/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: readFileSync(out),
    })
    assert.equal(upload.status, 200, await upload.text())
    const [, second] = await launcher.printed(/starting a\n[\s\S]*player {4}(http\S+)/)
    await launcher.printed(/the new version has proven itself/)
    const system = await (await fetch(`${second}/api/system`)).json()
    assert.equal((system as { version: string }).version, '98.7.6')
    const status = await (await fetch(`${second}/api/ota/status`)).json()
    assert.equal((status as { status: string }).status, 'success')
    assert.equal((await fetch(`${second}/`)).status, 200, 'the dashboard is in it')
    const [running] = launcher.children()
    const command = readFileSync(`/proc/${running}/cmdline`, 'utf8').split('\0')
    assert.equal(command.at(-2), path.join(root, 'data/updates/slots/a/apps/player/dist/main.js'))
  } finally {
    await launcher.end('SIGTERM')
  }
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { processFixture } from '@manara/kit/testing/service-process'
import { chimeWav } from './features/prayer/domain/chime.ts'
import { quietBox } from './testing/quiet-box.ts'

const LAUNCHER = new URL('./launcher.ts', import.meta.url)
const READY = /player {4}(http:\/\/\S+)/
const PLACE = { lat: 21.4225, lng: 39.8262, method: 4, adhan: { path: 'data:own.wav' } }

/** Mounts a disk of its own over the data, with the same content, and makes it so. */
const DISKS = [
  ['full', 'dd if=/dev/zero of="$PLAYER_DATA/filler" bs=1k 2>/dev/null', /the disk is full/],
  ['read-only', 'mount -o remount,ro "$PLAYER_DATA"', /the file system is read-only/],
] as const
const MOUNT =
  'mount -t tmpfs -o size=4m data "$PLAYER_DATA" && cp -a "$KEPT/." "$PLAYER_DATA" && rm -f "$PLAYER_DATA/owner"'

/** A box that was set up while its disk was well, and was stopped. */
async function boxOnce(t: TestContext) {
  const { env, start } = processFixture(t, LAUNCHER, (folder) => ({
    ...quietBox(folder),
    KEPT: path.join(folder, 'kept'),
  }))
  mkdirSync(path.join(env.PLAYER_DATA, 'sounds'), { recursive: true })
  writeFileSync(path.join(env.PLAYER_DATA, 'sounds/own.wav'), chimeWav())
  const service = start()
  const [, token = ''] = await service.printed(/device token: ([0-9a-f]{64})/)
  const [, address = ''] = await service.printed(READY)
  const call = caller(address, token)
  assert.equal((await call('POST', '/prayer/config', PLACE)).status, 200)
  await service.end('SIGTERM')
  cpSync(env.PLAYER_DATA, env.KEPT, { recursive: true })
  return { env, token }
}

const caller =
  (address: string, token: string) => async (method: string, to: string, body?: object) => {
    const reply = await fetch(`${address}/api${to}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }

async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  const look = (text: string) => {
    output += text
    const [, address] = READY.exec(output) ?? []
    if (address) resolve(address)
  }
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', look)
  stdout?.on('end', () => reject(new Error(`the box did not start: ${output}`)))
  return promise
}

for (const [kind, damage, why] of DISKS)
  test(`a box whose disk is ${kind} starts, calls the adhan and says what is wrong`, async (t) => {
    if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
      return t.skip('no file system of our own may be mounted here')
    }
    const { env, token } = await boxOnce(t)
    const script = `${MOUNT} && ${damage}; exec "$0" "$@"`
    const words = ['-rm', 'sh', '-c', script, process.execPath, fileURLToPath(LAUNCHER)]
    const child = spawn('unshare', words, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGTERM')
      await ended
    })
    const call = caller(await addressOf(child), token)

    const sounded = await call('POST', '/prayer/test-adhan')
    assert.deepEqual([sounded.status, sounded.body.track], [200, PLACE.adhan.path])
    const { body } = await call('GET', '/system')
    const failures = body.boot_failures as { component: string; error: string }[]
    assert.match(failures.find(({ component }) => component === 'data')?.error ?? '', why)
    assert.equal((await call('POST', '/playback/volume', { volume: 33 })).status, 200)
    const reset = await call('POST', '/reset', { confirm: true })
    assert.equal(reset.status, 503, JSON.stringify(reset.body))
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

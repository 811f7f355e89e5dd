import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { json, text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { isRunning, mainOf, processFixture } from '@manara/kit/testing/service-process'
import { openStore } from './db/open-store.ts'
import { factoryReset } from './features/system/factory-reset.ts'
import { createManualClock } from './testing/manual-clock.ts'
import { quietBox } from './testing/quiet-box.ts'

const MAIN = mainOf('player')
const READY = /player {4}(https?:\/\/\S+)/

const setup = (t: TestContext) => processFixture(t, MAIN, quietBox)

test('the first boot prints the device token once; player:token shows it again', async (t) => {
  const { env, start } = setup(t)
  const first = start()
  const [, token] = await first.printed(/^device token: ([0-9a-f]{64})$/m)
  await first.end('SIGTERM')
  const second = start()
  await second.printed(READY)
  assert.doesNotMatch(second.output(), new RegExp(token ?? ''))
  const shown = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('./show-token.ts', import.meta.url))],
    {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    },
  )
  assert.equal(shown.stdout, `device token: ${token}\n`)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends the player with exit 0 and leaves no child`, async (t) => {
    const { start } = setup(t)
    const service = start()
    await service.printed(READY)
    const children = service.children()
    assert.deepEqual(await service.end(signal), { code: 0, signal: null })
    assert.deepEqual(children.filter(isRunning), [])
  })
}

test('a second start on the same data says that it is in use and exits non-zero', async (t) => {
  const { env, start } = setup(t)
  const first = start()
  await first.printed(READY)
  const second = start()
  const { code } = await second.ended
  assert.notEqual(code, 0)
  assert.match(second.output(), new RegExp(`^player: data directory ${env.PLAYER_DATA} is in use`))
})

test('a bad setting stops the start with one line that names it', async (t) => {
  const { start } = setup(t)
  const service = start({ PLAYER_PORT: 'abc' })
  const { code } = await service.ended
  assert.notEqual(code, 0)
  assert.equal(service.output(), 'player: PLAYER_PORT: must be a port, got "abc"\n')
})

test('HTTPS is the default, with a certificate that is kept over restarts', async (t) => {
  const { start } = setup(t)
  const seen: string[] = []
  for (let boot = 0; boot < 2; boot += 1) {
    const service = start({ PLAYER_TLS: '' })
    const [, address] = await service.printed(READY)
    const fingerprint = await new Promise<string>((resolve, reject) => {
      const request = https.get(`${address}/api/system`, { rejectUnauthorized: false }, (reply) => {
        assert.equal(reply.statusCode, 200)
        const { fingerprint256 } = (
          reply.socket as import('node:tls').TLSSocket
        ).getPeerCertificate()
        reply.resume().on('end', () => resolve(fingerprint256))
      })
      request.on('error', reject)
    })
    seen.push(fingerprint)
    await service.end('SIGTERM')
  }
  assert.equal(seen[0], seen[1])
})

test('POST /reset: the box is as new in the same process, with another token and certificate', async (t) => {
  const { env, start } = setup(t)
  mkdirSync(path.join(env.PLAYER_CARD, 'Husary'), { recursive: true })
  writeFileSync(path.join(env.PLAYER_CARD, 'Husary/002.wav'), silence(60))
  const service = start({ PLAYER_TLS: '' })
  const [, address = ''] = await service.printed(READY)
  const [, old = ''] = await service.printed(/^device token: ([0-9a-f]{64})$/m)
  await ask(`${address}/api/settings/max-volume`, old, { max_volume: 33 })
  await ask(`${address}/api/radio/stations`, old, { name: 'one', url: 'http://radio.example/' })
  await ask(`${address}/api/playback/play`, old, { path: 'Husary/002.wav' })
  const { fingerprint } = await ask(`${address}/api/system`)

  assert.equal((await ask(`${address}/api/reset`, old, {})).status, 200)
  assert.equal((await ask(`${address}/api/playback/stop`, old, {})).status, 401)
  const [, , fresh = ''] = await service.printed(
    /device token: (\w{64})[\s\S]*device token: (\w{64})/,
  )
  assert.notEqual(fresh, old)
  await service.printed(/(Server listening[\s\S]*){2}/)
  const after = await ask(`${address}/api/settings`)
  assert.notEqual(after.fingerprint, fingerprint)
  assert.equal(after.body.max_volume, 100)
  assert.deepEqual((await ask(`${address}/api/radio/stations`)).body.stations, [])
  const { body: playback } = await ask(`${address}/api/playback/status`)
  assert.deepEqual([playback.state, playback.hasResumeState], ['stopped', false])
  assert.equal((await ask(`${address}/api/playback/stop`, old, {})).status, 401)
  assert.equal((await ask(`${address}/api/playback/stop`, fresh, {})).status, 200)
  assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
})

test('a factory reset that a power cut has interrupted is ended by the next start, once', async (t) => {
  const { env, start } = setup(t)
  const ready = async () => {
    const service = start()
    const [, address = ''] = await service.printed(READY)
    const [, token] = /^device token: ([0-9a-f]{64})$/m.exec(service.output()) ?? []
    return { service, address, token }
  }
  const before = await ready()
  await before.service.end('SIGTERM')
  const owners = ['ca.key', 'sounds/own.wav', 'soc/enrolment.json'].map((name) =>
    path.join(env.PLAYER_DATA, name),
  )
  for (const file of owners) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, 'of the old owner')
  }
  await resetUntil(env.PLAYER_DATA, 'the store is empty and nothing more is done')

  const after = await ready()
  assert.match(after.token ?? '', /^\w{64}$/, after.service.output())
  assert.notEqual(after.token, before.token)
  assert.deepEqual(owners.filter(existsSync), [])
  const reply = await fetch(`${after.address}/api/settings/max-volume`, {
    method: 'POST',
    headers: { authorization: `Bearer ${after.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ max_volume: 33 }),
  })
  assert.equal(reply.status, 200)
  await after.service.end('SIGKILL')

  const later = await ready()
  assert.equal(later.token, undefined)
  const settings = await (await fetch(`${later.address}/api/settings`)).json()
  assert.equal((settings as { max_volume: number }).max_volume, 33)
})

/** Whoever prints the token is the first to hear of it, so there it can be cut. */
async function resetUntil(dataDir: string, cut: string) {
  const db = openStore(dataDir)
  const reset = factoryReset({
    ...{ db, dataDir, clock: createManualClock(), log: { info() {} } },
    ...{ silence: async () => {}, sayGoodbye: async () => {}, isUpdating: () => false },
    useToken() {
      throw new Error(cut)
    },
    restart: assert.fail,
  })
  await assert.rejects(reset, { message: cut })
  db.close()
}

test('who has installed /ca.crt trusts the box, also under a name it was given since', async (t) => {
  const { start } = setup(t)
  const service = start({ PLAYER_TLS: '' })
  const [, address = ''] = await service.printed(READY)
  const [, token = ''] = await service.printed(/^device token: ([0-9a-f]{64})$/m)
  const download = https.get(`${address}/ca.crt`, { agent: false, rejectUnauthorized: false })
  const [file] = (await once(download, 'response')) as [IncomingMessage]
  const ca = await text(file)

  async function trustedAs(host: string) {
    const request = https.get(`${address}/api/system`, {
      ...{ agent: false, ca, servername: host, headers: { host } },
    })
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    reply.resume()
    return reply.statusCode
  }
  assert.equal(await trustedAs('localhost'), 200)
  await assert.rejects(trustedAs('kitchen.local'), /does not match certificate's altnames/)
  await ask(`${address}/api/settings/hostname`, token, { hostname: 'kitchen' })
  assert.equal(await trustedAs('kitchen.local'), 200)
})

/** One request over TLS, on a connection of its own. */
async function ask(url: string, token?: string, body?: object) {
  const request = https.request(url, {
    agent: false,
    rejectUnauthorized: false,
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
  })
  request.end(body && JSON.stringify(body))
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const { fingerprint256 } = (reply.socket as TLSSocket).getPeerCertificate()
  return {
    status: reply.statusCode,
    fingerprint: fingerprint256,
    body: (await json(reply)) as Record<string, unknown>,
  }
}

test('20 kill -9 during playback lose neither the place nor the store', async (t) => {
  const { env, start } = setup(t)
  mkdirSync(path.join(env.PLAYER_CARD, 'Husary'), { recursive: true })
  writeFileSync(path.join(env.PLAYER_CARD, 'Husary/002.wav'), silence(600))
  let token = ''
  let expected = 0
  for (let cut = 0; cut <= 20; cut += 1) {
    const service = start()
    const [, address] = await service.printed(READY)
    if (cut === 0) token = (await service.printed(/device token: (\w+)/))[1] ?? ''
    const call = async (route: string, body?: object) => {
      const reply = await fetch(`${address}/api${route}`, {
        ...(body
          ? {
              method: 'POST',
              body: JSON.stringify(body),
              headers: {
                authorization: `Bearer ${token}`,
                'content-type': 'application/json',
              },
            }
          : {}),
      })
      assert.equal(reply.status, 200, await reply.clone().text())
      return (await reply.json()) as { state: string; position: number }
    }
    if (cut === 0) {
      await call('/settings/auto-resume', { enabled: true })
      await call('/playback/play', { path: 'Husary/002.wav' })
    } else {
      const resumed = await call('/playback/status')
      assert.equal(resumed.state, 'playing', `after cut ${cut}`)
      assert.ok(resumed.position >= expected - 10_000, `${resumed.position} after ${expected}`)
    }
    const target = (cut * 7_919) % 500_000
    await call('/playback/seek', { position: target })
    expected = (await call('/playback/status')).position
    await service.end('SIGKILL')
  }
  const db = new DatabaseSync(path.join(env.PLAYER_DATA, 'player.db'))
  assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
  db.close()
})

/** A WAV file, 8 kHz, 8 bit, mono. */
function silence(seconds: number): Buffer {
  const length = seconds * 8_000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(8_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(length, 40)
  return Buffer.concat([header, Buffer.alloc(length, 128)])
}

test('the drawing engine takes no memory until a screen or a screenshot needs it', async (t) => {
  const { start } = setup(t)
  const service = start({ PLAYER_SCREEN: 'off' })
  const [, address] = await service.printed(READY)
  const [, token] = await service.printed(/^device token: ([0-9a-f]{64})$/m)
  const isLoaded = () => readFileSync(`/proc/${service.child.pid}/maps`, 'utf8').includes('skia')
  assert.equal(isLoaded(), false)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${address}/api/debug/screenshot`, { headers })
  assert.equal(reply.status, 200)
  assert.equal((await reply.bytes()).length, 54 + 320 * 240 * 3)
  assert.equal(isLoaded(), true)
})

test('a screen that was asked for and is not there is told, and the player starts without it', async (t) => {
  const { start } = setup(t)
  const service = start({ PLAYER_SCREEN: '/dev/fb7' })
  const [, address] = await service.printed(READY)
  const system = (await (await fetch(`${address}/api/system`)).json()) as {
    screen: string
    boot_failures: unknown[]
  }
  assert.equal(system.screen, '')
  const failure = { component: 'screen', error: '/dev/fb7 is not there' }
  assert.deepEqual(
    system.boot_failures.find((known) => isDeepStrictEqual(known, failure)),
    failure,
  )
})

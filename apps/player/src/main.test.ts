import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { json, text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import {
  isRunning,
  mainOf,
  processFixture,
  type ServiceProcess,
} from '@manara/kit/testing/service-process'
import { openStore } from './db/open-store.ts'
import { deviceToken } from './features/system/device-token.ts'
import { factoryReset } from './features/system/factory-reset.ts'
import { createManualClock } from './testing/manual-clock.ts'
import { quietBox } from './testing/quiet-box.ts'

const MAIN = mainOf('player')
const READY = /player {4}(https?:\/\/\S+)/

const setup = (t: TestContext) => processFixture(t, MAIN, quietBox)

/** A machine none of whose interfaces is up. */
const WITHOUT_NETWORK = {
  PLAYER_HOST: '0.0.0.0',
  PLAYER_MDNS: 'off',
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.networkInterfaces = () => ({})
    syncBuiltinESMExports()`)}`,
}

test('the first boot, without a network, prints the device token once; who comes second is refused; signals end it with exit 0', async (t) => {
  const { env, start } = setup(t)
  const first = start(WITHOUT_NETWORK)
  const [, token] = await first.printed(/^device token: ([0-9a-f]{64})$/m)
  assert.match(first.output(), /^player {4}http:\/\/localhost:\d+$/m)
  const second = start()
  assert.notEqual((await second.ended).code, 0)
  assert.match(second.output(), new RegExp(`^player: data directory ${env.PLAYER_DATA} is in use`))
  await endsWhole(first, 'SIGTERM')
  const store = new DatabaseSync(path.join(env.PLAYER_DATA, 'player.db'))
  store.exec(`INSERT INTO settings VALUES ('timezone', '"CET-1C' || char(1))`)
  store.close()

  const later = start({ PLAYER_SCREEN: '/dev/fb7' })
  const [, address = ''] = await later.printed(READY)
  assert.doesNotMatch(later.output(), new RegExp(token ?? ''))
  const show = fileURLToPath(new URL('./show-token.ts', import.meta.url))
  const shown = spawnSync(process.execPath, [show], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  assert.equal(shown.stdout, `device token: ${token}\n`)
  await t.test('a screen that is not there and a setting that cannot be read are told', () =>
    tellsTroubles(address),
  )
  await t.test('the drawing engine takes no memory until a screenshot needs it', () =>
    drawsLate(later, address, token),
  )
  await endsWhole(later, 'SIGINT')
})

async function endsWhole(service: ServiceProcess, signal: 'SIGTERM' | 'SIGINT') {
  const children = service.children()
  assert.deepEqual(await service.end(signal), { code: 0, signal: null })
  assert.deepEqual(children.filter(isRunning), [])
}

async function tellsTroubles(address: string) {
  const system = (await (await fetch(`${address}/api/system`)).json()) as {
    screen: string
    boot_failures: { component: string; error: string }[]
  }
  assert.equal(system.screen, '')
  const told = system.boot_failures.map(({ component, error }) => `${component}: ${error}`)
  assert.ok(told.includes('screen: /dev/fb7 is not there'), told.join('\n'))
  assert.match(told.join('\n'), /^data: some of what .* was left aside \(settings\)/m)
}

async function drawsLate({ child }: ServiceProcess, address: string, token = '') {
  const isLoaded = () => readFileSync(`/proc/${child.pid}/maps`, 'utf8').includes('skia')
  assert.equal(isLoaded(), false)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${address}/api/debug/screenshot`, { headers })
  assert.equal(reply.status, 200)
  assert.equal((await reply.bytes()).length, 54 + 320 * 240 * 3)
  assert.equal(isLoaded(), true)
}

test('a bad setting stops the start with one line that names it', async (t) => {
  const { start } = setup(t)
  const service = start({ PLAYER_PORT: 'abc' })
  const { code } = await service.ended
  assert.notEqual(code, 0)
  assert.equal(service.output(), 'player: PLAYER_PORT: must be a port, got "abc"\n')
})

test('HTTPS is the default: trusted with /ca.crt, kept over restarts, and another after a reset', async (t) => {
  const { env, start } = setup(t)
  mkdirSync(path.join(env.PLAYER_CARD, 'Husary'), { recursive: true })
  writeFileSync(path.join(env.PLAYER_CARD, 'Husary/002.wav'), silence(60))
  const first = start({ PLAYER_TLS: '' })
  const [, token = ''] = await first.printed(/^device token: ([0-9a-f]{64})$/m)
  const [, before = ''] = await first.printed(READY)
  await isTrusted(before, token)
  const { fingerprint } = await ask(`${before}/api/system`)
  await first.end('SIGTERM')

  const service = start({ PLAYER_TLS: '' })
  const [, address = ''] = await service.printed(READY)
  assert.equal((await ask(`${address}/api/system`)).fingerprint, fingerprint)
  await isNewAfterReset(service, address, token, fingerprint)
  assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
})

test('a box that cannot start anew after a reset ends with what is in its way, so that it is started again', async (t) => {
  const { env, start } = setup(t)
  const authority = `${env.PLAYER_CARD}.pem`
  writeFileSync(authority, '')
  const service = start({ PLAYER_OTA_CA: authority })
  const [, address] = await service.printed(READY)
  const [, token] = await service.printed(/device token: (\w+)/)
  rmSync(authority)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${address}/api/reset`, { method: 'POST', headers })
  assert.equal(reply.status, 200)
  const [line] = await service.printed(/^player: .*PLAYER_OTA_CA.*\n/m)
  assert.match(line, /^player: PLAYER_OTA_CA: .* there is no such file$/m)
  assert.deepEqual(await service.ended, { code: 1, signal: null })
})

/** Who has installed /ca.crt trusts the box, also under a name it was given since. */
async function isTrusted(address: string, token: string) {
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
}

/** In the same process, with another token and certificate. */
async function isNewAfterReset(
  service: ServiceProcess,
  address: string,
  old: string,
  fingerprint: string,
) {
  await ask(`${address}/api/settings/max-volume`, old, { max_volume: 33 })
  await ask(`${address}/api/radio/stations`, old, { name: 'one', url: 'http://radio.example/' })
  await ask(`${address}/api/playback/play`, old, { path: 'Husary/002.wav' })
  assert.equal((await ask(`${address}/api/reset`, old, {})).status, 200)
  assert.equal((await untilAnswered(`${address}/api/playback/stop`, old, {})).status, 401)
  const [, fresh = ''] = await service.printed(/device token: (\w{64})/)
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
}

test('a factory reset that a power cut has interrupted is ended by the next start, once', async (t) => {
  const { env, start } = setup(t)
  const ready = async () => {
    const service = start()
    const [, address = ''] = await service.printed(READY)
    const [, token] = /^device token: ([0-9a-f]{64})$/m.exec(service.output()) ?? []
    return { service, address, token }
  }
  mkdirSync(env.PLAYER_DATA, { recursive: true })
  const owners = ['ca.key', 'sounds/own.wav', 'soc/enrolment.json'].map((name) =>
    path.join(env.PLAYER_DATA, name),
  )
  for (const file of owners) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, 'of the old owner')
  }
  const old = await resetUntil(env.PLAYER_DATA, 'the store is empty and nothing more is done')

  const after = await ready()
  assert.match(after.token ?? '', /^\w{64}$/, after.service.output())
  assert.notEqual(after.token, old)
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
  const { token } = deviceToken(db)
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
  return token
}

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

/** A box that starts anew answers nobody for a moment. */
async function untilAnswered(...question: Parameters<typeof ask>): ReturnType<typeof ask> {
  return ask(...question).catch(async (error) => {
    assert.match(error.code, /^ECONN(REFUSED|RESET)$/)
    await pause(50)
    return untilAnswered(...question)
  })
}

test('eight kill -9 during playback, four of them amid a command, lose neither the place nor the store', async (t) => {
  const { env, start } = setup(t)
  mkdirSync(path.join(env.PLAYER_CARD, 'Husary'), { recursive: true })
  writeFileSync(path.join(env.PLAYER_CARD, 'Husary/002.wav'), silence(600))
  let token = ''
  /** Where it may go on: of a command that was cut, before or after it. */
  let expected: number[] = []
  for (let cut = 0; cut <= 8; cut += 1) {
    const service = start()
    const [, address] = await service.printed(READY)
    if (cut === 0) token = (await service.printed(/device token: (\w+)/))[1] ?? ''
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const send = (route: string, body: object) =>
      fetch(`${address}/api${route}`, { method: 'POST', body: JSON.stringify(body), headers })
    const call = async (route: string, body?: object) => {
      const reply = await (body ? send(route, body) : fetch(`${address}/api${route}`))
      assert.equal(reply.status, 200, await reply.clone().text())
      return (await reply.json()) as { state: string; position: number }
    }
    if (cut === 0) {
      await call('/settings/auto-resume', { enabled: true })
      await call('/playback/play', { path: 'Husary/002.wav' })
    } else {
      const { state, position } = await call('/playback/status')
      assert.equal(state, 'playing', `after cut ${cut}`)
      const isThere = expected.some((place) => position >= place - 10_000)
      assert.ok(isThere, `${position} after ${expected}`)
    }
    const target = ((cut + 1) * 57_919) % 500_000
    if (cut % 2 === 0) {
      await call('/playback/seek', { position: target })
      expected = [(await call('/playback/status')).position]
    } else {
      const { position } = await call('/playback/status')
      expected = [position, target]
      void send('/playback/seek', { position: target }).catch(() => {})
    }
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

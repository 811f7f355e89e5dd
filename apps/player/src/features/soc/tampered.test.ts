import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '@manara/kit/testing/free-port'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const PASSWORD = 'correct horse battery'

/** A checkout of its own, whose files may be changed. */
function copyOfPlayer(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'player-copy-'))
  mkdirSync(path.join(copy, 'apps/player'), { recursive: true })
  for (const name of ['apps/player/src', 'apps/player/package.json', 'package.json']) {
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

/** What of the replies is looked at. */
type Json = Record<
  | 'id'
  | 'access_token'
  | 'code'
  | 'ca_fingerprint'
  | 'status'
  | 'verdict'
  | 'reason'
  | 'title'
  | 'site_id'
  | 'device_id'
  | 'host',
  string
> & {
  items: Json[]
  evidence: Json[]
  claims: { firmware: { version: string; sha256: string } }
}

function callerOf(address: string, token?: string) {
  return async (method: string, url: string, body?: object): Promise<Json> => {
    const reply = await fetch(`${address}${url}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await reply.json()) as Json
  }
}

async function untilFound(look: () => Promise<Json | undefined>): Promise<Json> {
  for (;;) {
    const found = await look()
    if (found) return found
    await pause(50)
  }
}

test('a changed file on a player is noticed: contraindicated, an alert, and a correlation', async (t) => {
  const copy = copyOfPlayer()
  t.after(() => rmSync(copy, { recursive: true, force: true }))
  const mqttPort = String(await freePort())
  const socProcess = processFixture(t, mainOf('soc'), (folder) => ({
    ...{ SOC_HOST: '127.0.0.1', SOC_PORT: '0', SOC_MQTT_PORT: mqttPort, SOC_DATA: folder },
    ...{ SOC_WARM_UP: 'off', SOC_STARTER_RULES: 'off' },
    ...{ SOC_ADMIN_PASSWORD: PASSWORD, SOC_RATE_GENERAL: '1000000', SOC_AGENTS: 'off' },
    SOC_LOG: 'silent',
  })).start()
  const playerPort = String(await freePort())
  const player = processFixture(
    t,
    pathToFileURL(path.join(copy, 'apps/player/src/main.ts')),
    (folder) => ({
      ...{ PLAYER_HOST: '127.0.0.1', PLAYER_PORT: playerPort, PLAYER_TLS: 'off' },
      ...{ PLAYER_DATA: path.join(folder, 'data'), PLAYER_CARD: path.join(folder, 'card') },
      ...{ PLAYER_SINK: 'null', PLAYER_NFC: 'off', PLAYER_MDNS: 'off', PLAYER_SCREEN: 'off' },
      ...{ PLAYER_CLOCK: 'host', PLAYER_LOG: 'silent' },
    }),
  )
  const playerProcess = player.start()
  await playerProcess.printed(/player {4}http/)
  const [, address = ''] = await socProcess.printed(/^soc +(http\S+)/m)
  const signIn = { username: 'admin', password: PASSWORD }
  const { access_token } = await callerOf(address)('POST', '/api/v1/auth/token', signIn)
  const ask = callerOf(`${address}/api/v1`, access_token)

  const site = await ask('POST', '/sites', { name: 'Mosque of the market' })
  const device = await ask('POST', '/cps/devices', {
    ...{ name: 'player-7', device_type: 'player', site_id: site.id, attest_every_s: 0 },
  })
  const { code, ca_fingerprint } = await ask('POST', `/cps/devices/${device.id}/enrolment-code`)
  const enrol = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(copy, 'apps/player/src/enrol.ts'), ...args], {
      ...{ env: { ...process.env, ...player.env }, encoding: 'utf8' },
    })
  assert.match(enrol('--code', 'x').stderr, /^soc: .*\nusage: player:enrol/)
  const enrolled = enrol(
    ...['--soc', address, '--code', code],
    ...['--ca-fingerprint', ca_fingerprint],
  )
  assert.equal(enrolled.stdout, `enrolled as device ${device.id}\n`, enrolled.stderr)

  /** Asked now, and answered. */
  async function attest(): Promise<Json> {
    const { id } = await ask('POST', `/cps/devices/${device.id}/attest`)
    return untilFound(async () => {
      const { items } = await ask('GET', `/cps/attestations?device_id=${device.id}`)
      return items.find((one) => one.id === id && one.status === 'answered')
    })
  }

  const first = await attest()
  const { version, sha256 } = first.claims.firmware
  await ask('POST', '/firmware', { vendor: 'Manara', product: 'player', version, sha256 })
  assert.equal((await attest()).verdict, 'affirming')
  const { items: running } = await ask('GET', '/firmware/devices?state=current')
  assert.equal(running[0]?.device_id, device.id)

  const moved = await ask('POST', '/alerts', {
    ...{ title: 'Remote service on office-pc', source: 'detection', severity: 'high' },
    ...{ host: 'office-pc', site_id: site.id, mitre_techniques: ['T1021.002'] },
  })
  appendFileSync(
    path.join(copy, 'apps/player/src/features/prayer/sound-adhan.ts'),
    '\n// changed\n',
  )
  const after = await attest()
  assert.equal(after.verdict, 'contraindicated', after.reason)

  const alert = await untilFound(async () => (await ask('GET', '/alerts?source=cps')).items[0])
  assert.match(alert.title, /contraindicated: player-7/)
  const correlation = await untilFound(
    async () => (await ask('GET', `/correlations?evidence_id=${after.id}`)).items[0],
  )
  assert.equal(correlation.site_id, site.id)
  const evidence = correlation.evidence.map(({ id }) => id)
  assert.deepEqual(evidence.toSorted(), [after.id, moved.id].toSorted())

  await callerOf(`http://127.0.0.1:${playerPort}/api`, 'guess')('POST', '/playback/stop')
  const told = await untilFound(
    async () => (await ask('GET', '/siem/logs?q=source:device AND event:token_failure')).items[0],
  )
  assert.equal(told.host, 'player-7')
})

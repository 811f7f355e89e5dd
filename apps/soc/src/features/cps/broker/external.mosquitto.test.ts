import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '@manara/kit/testing/free-port'
import { sql } from 'kysely'
import { openKeyFile } from '../../../core/keys/key-file.ts'
import { createSealing } from '../../../core/keys/sealing.ts'
import { openDatabase } from '../../../db/database.ts'
import { makeKey } from '../../../simulated-devices/identity.ts'
import { deviceCalls } from '../../../testing/devices.ts'
import { sparkplug } from '../../../testing/sparkplug.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { createAuthority } from '../authority/authority.ts'
import { serverCertificate } from '../authority/server-certificate.ts'
import { takeTurns } from './take-turns.ts'

const ACL = `user soc
topic readwrite devices/#
topic read spBv1.0/#
pattern read devices/%u/attestation_request
pattern write devices/%u/attestation
pattern write spBv1.0/plant/+/%u
pattern write spBv1.0/plant/+/%u/+
`

/** Mosquitto as docs/cps.md sets it up, with a certificate of our authority. */
async function mosquitto(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mosquitto-'))
  const connection = await testDatabase()
  const keyFile = path.join(folder, 'service.key')
  const database = await openDatabase({ connection, log: silentLog })
  const sealing = createSealing(openKeyFile(keyFile))
  const authority = await createAuthority({ db: database.kysely, sealing, now: Date.now }).open()
  const tls = await serverCertificate(authority, [], Date.now())
  await database.close()
  const at = (name: string) => path.join(folder, name)
  const port = await freePort()
  const files = { 'ca.pem': tls.ca, 'server.pem': tls.cert, 'server.key': tls.key, acl: ACL }
  for (const [name, content] of Object.entries(files))
    writeFileSync(at(name), content, { mode: 0o600 })
  writeFileSync(
    at('mosquitto.conf'),
    `listener ${port} 127.0.0.1
cafile ${at('ca.pem')}
certfile ${at('server.pem')}
keyfile ${at('server.key')}
crlfile ${at('list.pem')}
require_certificate true
use_identity_as_username true
acl_file ${at('acl')}
pid_file ${at('pid')}
persistence true
persistence_location ${folder}/
autosave_interval 1
autosave_on_changes true
user root
log_dest file ${at('log')}
log_type all
`,
  )
  let child: ReturnType<typeof spawn> | undefined
  let ended: Promise<unknown> = Promise.resolve()
  async function start() {
    child = spawn('/usr/sbin/mosquitto', ['-c', at('mosquitto.conf')], { stdio: 'ignore' })
    ended = new Promise((resolve) => child?.once('exit', resolve))
    while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  async function kill(signal: 'SIGKILL' | 'SIGTERM') {
    child?.kill(signal)
    await ended
  }
  t.after(async () => {
    await kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })
  const broker = {
    url: `mqtts://localhost:${port}`,
    caFile: at('ca.pem'),
    certFile: undefined,
    keyFile: undefined,
    crlFile: at('list.pem'),
    pidFile: at('pid'),
  }
  return {
    port,
    broker,
    connection,
    keyFile,
    start,
    kill,
    crl: () => readFileSync(at('list.pem'), 'utf8'),
    sessionsBegun: () => readFileSync(at('log'), 'utf8').match(/ as soc /g)?.length,
  }
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

async function withMosquitto(t: TestContext) {
  const beside = await mosquitto(t)
  const { connection, keyFile, broker } = beside
  const { readConfig } = await import('../../../config.ts')
  const cps = { ...readConfig({}).cps, broker }
  const service = () => startTestSoc(t, { connection, keyFile, cps })
  const soc = await service()
  // The list has to be there before Mosquitto starts: the service writes it.
  await soc.listenDevices()
  await beside.start()
  const as = await soc.signIn()
  const calls = deviceCalls(t, soc, as, { host: 'localhost', port: beside.port })
  return { ...beside, service, soc, as, ...calls }
}

test('MQTT_URL: revoking cuts the session at Mosquitto and the next connect is refused', async (t) => {
  const { enrol, device, soc, as, crl } = await withMosquitto(t)
  const [bad, good] = [await enrol(), await enrol({ name: 'pump 8' })]
  const [pump, other] = [await device(bad), await device(good)]
  const closed = new Promise((resolve) => pump.client.once('close', () => resolve('closed')))
  const refused = new Promise<string>((resolve) =>
    pump.client.on('error', ({ message }) => resolve(message)),
  )
  const reply = await soc.call('POST', `/cps/devices/${bad.deviceId}/revoke`, { as })
  assert.equal(reply.status, 200)
  await closed
  assert.match(await refused, /revoked/)
  assert.equal(other.client.connected, true)
  // A device that stood for two and is enrolled anew: Mosquitto hears of its old certificate too.
  const path = `/cps/devices/${good.deviceId}`
  await soc.query(`UPDATE cps_devices SET status = 'quarantined' WHERE id = $1`, [good.deviceId])
  const { body } = await soc.call('POST', `${path}/enrolment-code`, { as })
  const before = crl()
  await soc.call('POST', '/cps/enrol', { body: { code: body.code, csr: (await makeKey()).csr } })
  await until('another list', () => crl() !== before)
})

test('MQTT_URL: Mosquitto that is killed and comes back loses no request', async (t) => {
  const { enrol, device, ask, settled, kill, start } = await withMosquitto(t)
  const identity = await enrol()
  const heard: string[] = []
  const pump = await device(identity, { onRequest: ({ id }) => heard.push(id) })
  await settled((await ask(identity.deviceId)).id, identity.deviceId)
  await kill('SIGKILL')
  const { id } = await ask(identity.deviceId)
  await start()
  assert.equal((await settled(id, identity.deviceId)).status, 'answered')
  assert.equal(pump.memory.answered.size, 2)
  assert.equal(new Set(heard).size, 2)
})

test('MQTT_URL: a device is asked once, online from its answer on, and offline when none comes', async (t) => {
  const { enrol, device, ask, settled, read, soc } = await withMosquitto(t)
  const identity = await enrol()
  const { deviceId } = identity
  const status = async () => (await read(`/cps/devices/${deviceId}`)).status
  const heard: string[] = []
  const pump = await device(identity, { onRequest: ({ id }) => heard.push(id) })
  const asked = await ask(deviceId)
  assert.equal((await settled(asked.id, deviceId)).status, 'answered')
  assert.deepEqual(heard, [asked.id])
  await until('online', async () => (await status()) === 'online')
  await pump.kill()
  const { id } = await ask(deviceId)
  await until('Mosquitto has it', async () => {
    const rows = await soc.query(`SELECT FROM cps_outbox WHERE phase = 'delivered'`)
    return rows.length === 1
  })
  await soc.query('UPDATE cps_attestations SET expires_at = now() WHERE id = $1', [id])
  // Whether Mosquitto has passed it on nobody knows here.
  assert.match((await settled(id, deviceId)).reason, /broker took the request, no answer/)
  await until('offline', async () => (await status()) === 'offline')
})

test('of several processes one has its turn, until its connection to the database is gone', async (t) => {
  const connection = await testDatabase()
  const begun: string[] = []
  const join = async (who: string) => {
    const database = await openDatabase({ connection, log: silentLog })
    const turns = takeTurns({
      ...{ db: database.kysely, name: 'a turn', log: silentLog, lookMs: 10 },
      async begin() {
        begun.push(who)
        return async () => void begun.push(`${who} ends`)
      },
    })
    t.after(async () => {
      await turns.stop()
      await database.close()
    })
    return { turns, db: database.kysely }
  }
  const first = await join('first')
  await until('the first', () => begun.length === 1)
  const second = await join('second')
  await first.turns.stop()
  await until('the second', () => begun.length === 3)
  await join('third')
  await sql`SELECT pg_terminate_backend(pid) FROM pg_locks
    JOIN pg_database ON pg_database.oid = database AND datname = current_database()
    WHERE locktype = 'advisory' AND granted`.execute(second.db)
  await until('an end, and somebody else or the same once more', () => begun.length === 5)
  assert.deepEqual(begun.slice(0, 3), ['first', 'first ends', 'second'])
  // Whose connection was cut learns it with its next look: another may have begun before that.
  const [begins, ...ends] = begun.slice(3).sort((a, b) => a.length - b.length)
  assert.deepEqual(ends, ['second ends'])
  assert.match(begins ?? '', /^(second|third)$/)
})

test('MQTT_URL: another process takes over, and knows what a gateway said at its birth', async (t) => {
  const { enrol, device, soc, as, port, read, service, sessionsBegun } = await withMosquitto(t)
  const identity = await enrol({ device_type: 'gateway' })
  const { deviceId } = identity
  const body = { sparkplug_node: `plant/${deviceId}` }
  await soc.call('PATCH', `/cps/devices/${deviceId}`, { as, body })
  const gateway = await device(identity)
  const isHeardBy = async (one: TestSoc) => {
    const { ask, settled } = deviceCalls(t, one, as, { host: 'localhost', port })
    await settled((await ask(deviceId)).id, deviceId)
  }
  await isHeardBy(soc)
  const say = (kind: string, metrics: Parameters<typeof sparkplug>[0]) =>
    gateway.publish(`spBv1.0/plant/${kind}`, sparkplug(metrics))
  await say(`NBIRTH/${deviceId}`, [{ name: 'bdSeq', value: 2 }])
  await say(`DBIRTH/${deviceId}/pump`, [{ name: 'speed', alias: 3, value: 10 }])
  const pumpOf = async (on: Pick<TestSoc, 'call'>) =>
    (await on.call('GET', '/cps/devices?managed=false', { as })).body.items[0]
  await until('the pump', async () => (await pumpOf(soc)) !== undefined)
  assert.equal((await read(`/cps/devices/${deviceId}`)).status, 'online')
  const again = await service()
  await again.listenDevices()
  // Asked of the one that has no session at the broker: the other one sends it.
  await isHeardBy(again)
  assert.equal(sessionsBegun(), 1)
  await soc.stop()
  await say(`NDEATH/${deviceId}`, [{ name: 'bdSeq', value: 1 }])
  await say(`DDATA/${deviceId}/pump`, [{ alias: 3, value: 12 }])
  const { id, status } = await pumpOf(again)
  const metrics = async () =>
    (await again.call('GET', `/cps/devices/${id}/metrics`, { as })).body.metrics
  await until(
    'the data',
    async () => (await metrics()).speed !== 10 || 'alias 3' in (await metrics()),
  )
  assert.deepEqual([status, await metrics()], ['online', { speed: 12 }])
  await say(`NDEATH/${deviceId}`, [{ name: 'bdSeq', value: 2 }])
  const gone = async () => (await again.call('GET', `/cps/devices/${deviceId}`, { as })).body.status
  await until('the death', async () => (await gone()) === 'offline')
})

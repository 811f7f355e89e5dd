import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { readEvidence } from '@manara/attestation/evidence'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type FixtureOptions, playerFixture } from '../../testing/player-fixture.ts'
import { simSoc } from '../../testing/sim-soc.ts'

const NONCE = Buffer.alloc(32, 7).toString('base64url')

async function enrollable(t: TestContext, options: FixtureOptions = {}) {
  const clock = createManualClock()
  const soc = await simSoc(t, clock.now)
  const root = mkdtempSync(path.join(tmpdir(), 'version-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(path.join(root, 'apps/player/src'), { recursive: true })
  writeFileSync(path.join(root, 'apps/player/src/main.ts'), 'start()')
  const box = await playerFixture(t, {
    ...{ clock, soc: { ...soc.parts, versionRoot: root } },
    ...options,
  })
  const body = { soc: soc.url, code: soc.state.code, ca_fingerprint: soc.ca_fingerprint }
  return {
    ...{ soc, box, root, clock },
    enrol: (change: object = {}) => box.post('/settings/soc', { ...body, ...change }),
    status: async () => (await asOwner(box, 'GET')).json(),
    /** Everything that is due within the time is sent. */
    async later(ms = 1_000) {
      clock.advance(ms)
      await box.settled()
    },
  }
}

const asOwner = (box: Awaited<ReturnType<typeof playerFixture>>, method: 'GET' | 'DELETE') =>
  box.app.inject({
    ...{ method, url: '/api/settings/soc', headers: { authorization: `Bearer ${box.token()}` } },
  })

test('GET /settings/soc is off at first, needs the token, and nothing was called or written', async (t) => {
  const { soc, box, status } = await enrollable(t)
  assert.equal((await box.get('/settings/soc')).statusCode, 401)
  const { state, device_id, events_waiting } = await status()
  assert.deepEqual([state, device_id, events_waiting], ['off', '', 0])
  assert.equal((await box.get('/system')).json().soc, 'off')
  await box.post('/settings/time', { epoch: 1_772_452_800 }, 'wrong')
  await box.post('/settings/time', { epoch: 1_772_452_800 })
  assert.equal((await status()).events_waiting, 0)
  assert.deepEqual(soc.state.calls, [])
  assert.equal(existsSync(path.join(box.dataDir, 'soc')), false)
})

test('POST /settings/soc makes a key that stays here, and connects', async (t) => {
  const { soc, box, enrol, status } = await enrollable(t)
  const reply = await enrol()
  assert.equal(reply.statusCode, 200, reply.body)
  assert.partialDeepStrictEqual(reply.json(), {
    ...{ success: true, state: 'enrolled', device_id: soc.device_id, connected: true, problem: '' },
  })
  assert.equal((await box.get('/system')).json().soc, 'connected')
  const file = path.join(box.dataDir, 'soc/enrolment.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(soc.broker()?.url, 'mqtts://127.0.0.1:8883')
  assert.equal(soc.broker()?.subscribe, `devices/${soc.device_id}/attestation_request`)
  assert.doesNotMatch(JSON.stringify(await status()), /PRIVATE/)
})

test('an enrolled box starts where its disk is full, or what the platform gave is of no use', async (t) => {
  const { soc, box, enrol, clock } = await enrollable(t)
  await enrol()
  await box.close()
  const { dataDir } = box
  const again = (parts: FixtureOptions['soc']) =>
    playerFixture(t, { dataDir, clock, soc: { ...soc.parts, ...parts } })
  const inTheWay = path.join(dataDir, 'soc/boots.json.new')
  mkdirSync(inTheWay)
  const full = await again({})
  const told = async () => (await asOwner(full, 'GET')).json()
  assert.partialDeepStrictEqual(await told(), { state: 'enrolled', connected: false })
  assert.match((await told()).problem, /^cannot be connected: .*boots\.json/)
  rmSync(inTheWay, { recursive: true })
  clock.advance(3_600_000)
  await full.settled()
  assert.partialDeepStrictEqual(await told(), { connected: true, problem: '' })
  await full.close()
  const openBroker = () => Promise.reject(new Error('Unknown protocol'))
  const useless = await again({ openBroker })
  assert.equal(
    (await asOwner(useless, 'GET')).json().problem,
    'cannot be connected: Unknown protocol',
  )
})

test('a request is answered with what lies on the disk now, signed', async (t) => {
  const { soc, box, enrol, root, status } = await enrollable(t)
  await enrol()
  const measured = async () => {
    soc.ask(NONCE)
    await box.settled()
    const { topic, payload } = soc.published.at(-1) ?? assert.fail('no answer')
    assert.equal(topic, `devices/${soc.device_id}/attestation`)
    const { claims, isSignedBy } = readEvidence(payload)
    assert.equal(isSignedBy(soc.publicKey()), true)
    assert.partialDeepStrictEqual(claims, {
      ...{ device_id: soc.device_id, nonce: NONCE, boot_count: 1, debug: false },
      firmware: { name: 'manara-player', version: '0.0.0' },
    })
    return claims.firmware.sha256
  }
  const before = await measured()
  assert.equal(await measured(), before)
  writeFileSync(path.join(root, 'apps/player/src/main.ts'), 'start() // and more')
  const after = await measured()
  assert.notEqual(after, before)
  assert.equal((await status()).firmware_sha256, after)
  mkdirSync(path.join(root, 'apps/player/dist'))
  writeFileSync(path.join(root, 'apps/player/dist/main.js'), 'start()')
  assert.notEqual(await measured(), after, 'the bundle is what runs')
  soc.ask(NONCE, 'another-device')
  await box.settled()
  assert.equal(soc.published.length, 4)
})

test('a request that cannot be answered since files cannot be read is told, and the next is answered', async (t) => {
  const logTo: string[] = []
  const { soc, box, enrol, root } = await enrollable(t, { logTo })
  await enrol()
  const source = path.join(root, 'apps/player/src')
  rmSync(source, { recursive: true })
  writeFileSync(source, 'no folder')
  soc.ask(NONCE)
  await box.settled()
  assert.equal(soc.published.length, 0)
  assert.match(logTo.join(''), /ENOTDIR.*"msg":"a request of the platform was not answered"/)
  rmSync(source)
  soc.ask(NONCE)
  await box.settled()
  assert.equal(soc.published.length, 1)
})

test('the audit log is sent: wrong tokens by address, changes of the clock, updates', async (t) => {
  const { soc, box, enrol, later } = await enrollable(t)
  await enrol()
  for (let tries = 0; tries < 12; tries += 1) await box.post('/playback/stop', undefined, 'wrong')
  await box.post('/settings/time', { epoch: 1_772_452_800 })
  box.events.emit('ota', {
    ...{ in_progress: false, progress: 0, mode: 'upload', status: 'rolled_back', error: 'died' },
  })
  await later()
  await later(60_000)
  await later()
  const told = soc.events.map(({ event, message }) => `${event}: ${message}`)
  assert.deepEqual(told.toSorted(), [
    'clock_changed: the clock was set; manual vouches for it',
    `enrolled: enrolled at ${soc.url}`,
    'token_failure: a wrong device token from 127.0.0.1',
    'token_failure: a wrong device token from 127.0.0.1, 12 times in a minute',
    'update: update rolled back: died',
  ])
  assert.equal(new Set(soc.events.map(({ id }) => id)).size, 5)
})

test('while the platform is away events wait on disk, also over a restart', async (t) => {
  const { soc, box, enrol, later, status, clock, root } = await enrollable(t)
  await enrol()
  await later()
  soc.state.isAway = true
  await box.post('/playback/stop', undefined, 'wrong')
  await later()
  const { events_waiting, problem } = await status()
  assert.equal(events_waiting, 1)
  assert.match(problem, /^events cannot be sent/)
  assert.match(JSON.stringify((await box.get('/system')).json().boot_failures), /soc/)
  await box.close()
  soc.state.isAway = false
  const again = await playerFixture(t, {
    ...{ clock, dataDir: box.dataDir, soc: { ...soc.parts, versionRoot: root } },
  })
  clock.advance(1_000)
  await again.settled()
  assert.deepEqual(
    soc.events.map(({ event }) => event),
    ['enrolled', 'token_failure'],
  )
  soc.ask(NONCE)
  await again.settled()
  assert.equal(readEvidence(soc.published.at(-1)?.payload ?? Buffer.alloc(0)).claims.boot_count, 2)
})

test('on a full disk a wrong token is refused as ever, and the box goes on', async (t) => {
  const { box, enrol, later } = await enrollable(t)
  await enrol()
  await later()
  box.db.exec('PRAGMA query_only = ON')
  for (let tries = 0; tries < 2; tries += 1)
    assert.equal((await box.post('/playback/stop', undefined, 'wrong')).statusCode, 401)
  await later(60_000)
})

test('of too many waiting events the oldest are dropped and counted', async (t) => {
  const { soc, box, enrol, status } = await enrollable(t)
  await enrol()
  soc.state.isAway = true
  for (let count = 0; count < 2_010; count += 1) {
    box.events.emit('ota', {
      ...{ in_progress: false, progress: 0, mode: 'pull', error: `${count}` },
      status: count % 2 === 0 ? 'failed' : 'success',
    })
  }
  const { events_waiting, events_dropped } = await status()
  // One was there before: the box was enrolled.
  assert.deepEqual([events_waiting, events_dropped], [2_000, 11])
})

test('the certificate is renewed before it ends', async (t) => {
  const { soc, box, enrol, status, later } = await enrollable(t)
  await enrol()
  const { certificate_until } = await status()
  await later(59 * 86_400_000)
  assert.equal(soc.state.renewed, 0)
  await later(2 * 86_400_000)
  await box.settled()
  assert.ok(soc.state.renewed > 0)
  assert.ok((await status()).certificate_until > certificate_until)
})

test('a box that is never on for long renews its certificate when it is switched on', async (t) => {
  const { soc, box, clock, enrol } = await enrollable(t)
  await enrol()
  await box.close()
  clock.advance(61 * 86_400_000)
  assert.equal(soc.state.renewed, 0)
  const again = await playerFixture(t, { clock, soc: soc.parts, dataDir: box.dataDir })
  await again.settled()
  assert.equal(soc.state.renewed, 1)
})

test('a factory reset is told, and then there is nothing left', async (t) => {
  const { soc, box, enrol, later, status } = await enrollable(t)
  await enrol()
  await later()
  assert.equal((await box.post('/reset')).statusCode, 200)
  assert.equal(soc.events.at(-1)?.event, 'factory_reset')
  assert.equal(existsSync(path.join(box.dataDir, 'soc')), false)
  assert.equal((await status()).state, 'off')
  assert.equal(soc.broker(), undefined)
})

test('DELETE /settings/soc forgets the platform', async (t) => {
  const { soc, box, enrol } = await enrollable(t)
  await enrol()
  const reply = await asOwner(box, 'DELETE')
  assert.deepEqual([reply.statusCode, reply.json().state], [200, 'off'])
  assert.equal(existsSync(path.join(box.dataDir, 'soc')), false)
  assert.equal(soc.broker(), undefined)
})

const REFUSED: [string, object, RegExp][] = [
  ['a wrong code', { code: 'guess' }, /^code: 127\.0\.0\.1:\d+ says: code: is not known/],
  ['another authority', { ca_fingerprint: '0'.repeat(64) }, /^ca_fingerprint: /],
  ['plain HTTP beyond this machine', { soc: 'http://soc.example' }, /^soc: must be an https/],
  ['credentials', { soc: 'https://a:b@soc.example' }, /^soc: must be an https/],
  ['nobody there', { soc: 'http://127.0.0.1:1' }, /^soc: 127\.0\.0\.1:1 does not answer/],
]
test('POST /settings/soc says what is wrong, and stays off', async (t) => {
  const { box, enrol, status } = await enrollable(t)
  for (const [name, change, expected] of REFUSED) {
    const reply = await enrol(change)
    assert.equal(reply.statusCode, 400, name)
    assert.match(reply.json().error, expected)
  }
  assert.equal((await status()).state, 'off')
  const without = await box.app.inject({ method: 'POST', url: '/api/settings/soc', payload: {} })
  assert.equal(without.statusCode, 401)
})

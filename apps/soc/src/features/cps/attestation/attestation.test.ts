import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AttestationRequest } from '@manara/attestation/request'
import { makeKey } from '../../../simulated-devices/identity.ts'
import { deviceCalls } from '../../../testing/devices.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

test('attestation', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const port = Number((await soc.listenDevices({ port: 0 })).split(':').at(-1))

  /** Devices of one test, ended with it, and what is told about them. */
  function devicesOf(t: TestContext) {
    const calls = deviceCalls(t, soc, as, { host: '127.0.0.1', port })
    const own = new Set<string>()
    return {
      ...calls,
      async enrol(fields?: object) {
        const identity = await calls.enrol(fields)
        own.add(`device:${identity.deviceId}`)
        return identity
      },
      alertsOf: async (kind: string) =>
        (await calls.alertsOf(kind)).filter((one: { source_ref: string }) =>
          own.has(one.source_ref),
        ),
    }
  }

  /** A device that is asked, and answers with what it is told to. */
  async function answering(t: TestContext) {
    const { enrol, device, ask, settled } = devicesOf(t)
    const identity = await enrol()
    const pump = await device(identity, { behaviour: 'silent' })
    return async (change: Parameters<typeof pump.sign>[1] = {}) => {
      const asked = await ask(identity.deviceId)
      await pump.publish(identity.enrolled.mqtt.evidence_topic, pump.sign(asked, change))
      return settled(asked.id, identity.deviceId)
    }
  }

  await t.test(
    'POST /cps/devices/{id}/attest asks the device once, and its answer gets a verdict',
    async (t) => {
      const { enrol, device, ask, settled, read } = devicesOf(t)
      const identity = await enrol()
      const requests: AttestationRequest[] = []
      await device(identity, { onRequest: (request) => requests.push(request) })
      const asked = await ask(identity.deviceId)
      const answered = await settled(asked.id, identity.deviceId)
      assert.deepEqual(
        [answered.status, answered.verdict, answered.claims.nonce],
        ['answered', 'warning', asked.nonce],
      )
      assert.match(answered.reason, /not a known one/)
      assert.deepEqual(
        requests.map(({ id, nonce }) => [id, nonce]),
        [[asked.id, asked.nonce]],
      )
      const seen = () => read(`/cps/devices/${identity.deviceId}`)
      // That it is connected is written beside its answers.
      await until('online', async () => (await seen()).status === 'online')
      const shown = await seen()
      assert.deepEqual([shown.trust_status, shown.firmware_version], ['suspect', '4.2.0'])
      const { body } = await soc.call(
        'GET',
        `/audit?action=attestation_request&target=device:${identity.deviceId}`,
        { as },
      )
      assert.equal(body.total, 1)
    },
  )

  await t.test('a changed file is contraindicated, untrusted and an alert', async (t) => {
    const { enrol, device, ask, settled, read, alertsOf } = devicesOf(t)
    const identity = await enrol({ name: 'pump 9' })
    const pump = await device(identity)
    await settled((await ask(identity.deviceId)).id, identity.deviceId)
    pump.tamper()
    const found = await settled((await ask(identity.deviceId)).id, identity.deviceId)
    assert.equal(found.verdict, 'contraindicated')
    assert.match(found.reason, /configuration changed/)
    assert.equal((await read(`/cps/devices/${identity.deviceId}`)).trust_status, 'untrusted')
    const [alert] = await alertsOf('contraindicated')
    assert.deepEqual([alert.severity, alert.host], ['high', 'pump 9'])
  })

  await t.test('another firmware for a while hides no change of the boot', async (t) => {
    const answers = await answering(t)
    const { claims } = await answers()
    const measurements = [...claims.measurements, { name: 'implant', sha256: 'f'.repeat(64) }]
    const firmware = { ...claims.firmware, version: '0.1', sha256: 'e'.repeat(64) }
    assert.equal((await answers({ firmware, measurements })).verdict, 'warning')
    const back = await answers({ measurements })
    assert.equal(back.verdict, 'contraindicated')
    assert.match(back.reason, /^implant changed since it last ran firmware 4\.2\.0/)
    assert.equal((await answers()).verdict, 'warning')
  })

  await t.test(
    'POST /cps/attestations/{id}/accept: what the device runs now is as it should be from then on',
    async (t) => {
      const { enrol, device, ask, settled, read } = devicesOf(t)
      const identity = await enrol()
      const { deviceId } = identity
      const pump = await device(identity)
      const found = async () => settled((await ask(deviceId)).id, deviceId)
      const accept = (id: string) =>
        soc.call('POST', `/cps/attestations/${id}/accept`, { as, body: { note: 'change 4711' } })
      const fine = await found()
      pump.tamper()
      const [first, changed] = [await found(), await found()]
      assert.deepEqual([first.verdict, changed.verdict], ['contraindicated', 'contraindicated'])
      for (const old of [fine, first]) {
        const refused = await accept(old.id)
        assert.equal(refused.status, 409)
        assert.match(refused.body.detail, /newer answer/)
      }
      const { status, body } = await accept(changed.id)
      assert.deepEqual([status, body.id, body.trust_status], [200, deviceId, 'untrusted'])
      assert.equal((await found()).verdict, fine.verdict)
      assert.equal((await read(`/cps/devices/${deviceId}`)).trust_status, 'suspect')
      const audit = await read(`/audit?action=device.accept&target=device:${deviceId}`)
      assert.deepEqual([audit.total, audit.items[0].after.note], [1, 'change 4711'])
      const analyst = await soc.signInAs('analyst')
      const path = `/cps/attestations/${changed.id}/accept`
      assert.equal((await soc.call('POST', path, { as: analyst })).status, 403)
    },
  )

  await t.test('what was accepted holds also after another firmware for a while', async (t) => {
    const answers = await answering(t)
    const { claims } = await answers()
    const measurements = [...claims.measurements, { name: 'repaired', sha256: 'd'.repeat(64) }]
    const changed = await answers({ measurements })
    assert.equal(changed.verdict, 'contraindicated')
    const accepted = await soc.call('POST', `/cps/attestations/${changed.id}/accept`, { as })
    assert.equal(accepted.status, 200)
    const firmware = { ...claims.firmware, version: '0.1', sha256: 'e'.repeat(64) }
    for (const change of [{ firmware }, { measurements }, { firmware }, { measurements }]) {
      const { verdict, reason } = await answers(change)
      assert.equal(verdict, 'warning', reason)
    }
    await answers({ firmware })
    assert.equal((await answers()).verdict, 'contraindicated', 'what it was before is not in order')
  })

  await t.test('an answer of a device that stands for two is not accepted', async (t) => {
    const { enrol, device, ask, settled } = devicesOf(t)
    const identity = await enrol()
    await device(identity)
    const { id } = await settled((await ask(identity.deviceId)).id, identity.deviceId)
    const accept = (one: string) => soc.call('POST', `/cps/attestations/${one}/accept`, { as })
    const become = (status: string) =>
      soc.query('UPDATE cps_devices SET status = $1 WHERE id = $2', [status, identity.deviceId])
    await become('quarantined')
    assert.match((await accept(id)).body.detail, /enrol it anew/)
    await become('offline')
    await soc.query(`UPDATE cps_attestations SET status = 'expired', claims = NULL WHERE id = $1`, [
      id,
    ])
    assert.match((await accept(id)).body.detail, /no answer/)
    assert.equal((await accept('nobody')).status, 404)
  })

  await t.test(
    'replayed, stale, foreign and forged answers are refused, told, and end no request',
    async (t) => {
      const { enrol, device, ask, settled, alertsOf } = devicesOf(t)
      const [first, second] = [await enrol(), await enrol({ name: 'pump 8' })]
      const good = await device(first)
      const other = await device(second, { behaviour: 'silent' })
      const old = await ask(first.deviceId)
      await settled(old.id, first.deviceId)
      const open = await ask(second.deviceId)
      const past = await ask(second.deviceId)
      await soc.query(
        `UPDATE cps_attestations SET expires_at = now() - interval '1 second' WHERE id = $1`,
        [past.id],
      )
      const { evidence_topic } = second.enrolled.mqtt
      const cases: [string, Buffer, RegExp][] = [
        ['bytes', Buffer.from('not evidence'), /cannot be read/],
        ['another nonce', other.sign({ ...open, nonce: 'AAAA' }), /never asked/],
        ['an old answer of another', good.sign(old), /answers for another device/],
        ['for another device', other.sign(open, { device_id: first.deviceId }), /another device/],
        ['a nonce of another', other.sign(old), /asked of another device/],
        ['a stale nonce', other.sign(past), /stale/],
        ['another key', good.sign(open, { device_id: second.deviceId }), /not of this device/],
      ]
      for (const [index, [what, bytes, reason]] of cases.entries()) {
        await other.publish(evidence_topic, bytes)
        const [alert] = await alertsOf('refused')
        assert.equal(alert?.occurrence_count, index + 1, what)
        const [entry] = await soc.query<{ after: { reason: string } }>(
          `SELECT after FROM audit_log WHERE action = 'attestation.refuse' ORDER BY id DESC LIMIT 1`,
        )
        assert.match(entry?.after.reason ?? '', reason, what)
      }
      await other.publish(evidence_topic, other.sign(open))
      assert.equal((await settled(open.id, second.deviceId)).status, 'answered')
    },
  )

  await t.test(
    'an old answer once more is a repeat at once, and a replay after the next request',
    async (t) => {
      const { enrol, device, ask, settled, alertsOf } = devicesOf(t)
      const identity = await enrol()
      const answers: Buffer[] = []
      const pump = await device(identity)
      pump.client.on('packetsend', (packet) => {
        if (packet.cmd === 'publish') answers.push(packet.payload as Buffer)
      })
      await settled((await ask(identity.deviceId)).id, identity.deviceId)
      const [first] = answers
      assert.ok(first)
      const { evidence_topic } = identity.enrolled.mqtt
      await pump.publish(evidence_topic, first)
      assert.deepEqual(await alertsOf('refused'), [])
      await settled((await ask(identity.deviceId)).id, identity.deviceId)
      await pump.publish(evidence_topic, first)
      assert.equal((await alertsOf('refused'))[0].occurrence_count, 1)
    },
  )

  await t.test('a device publishes and listens on its own topics alone', async (t) => {
    const { enrol, device, ask, settled } = devicesOf(t)
    const [mine, theirs] = [await enrol(), await enrol({ name: 'pump 8' })]
    const spy = await device(mine, { mqtt: { reconnectPeriod: 0 } })
    const heard: string[] = []
    spy.client.on('message', (topic) => heard.push(topic))
    for (const topic of [
      '#',
      'devices/#',
      'devices/+/attestation_request',
      theirs.enrolled.mqtt.request_topic,
    ]) {
      const granted = await spy.client.subscribeAsync(topic, { qos: 2 }).catch(() => 'refused')
      assert.equal(granted, 'refused', topic)
    }
    const victim = await device(theirs)
    await settled((await ask(theirs.deviceId)).id, theirs.deviceId)
    assert.deepEqual(heard, [])
    const closed = new Promise((resolve) => spy.client.once('close', () => resolve('closed')))
    spy.client.publish(theirs.enrolled.mqtt.evidence_topic, 'mine', { qos: 1 })
    assert.equal(await closed, 'closed')
    assert.equal(victim.client.connected, true)
  })

  await t.test(
    'POST /cps/devices/{id}/revoke cuts the session and refuses the next one',
    async (t) => {
      const { enrol, device, read } = devicesOf(t)
      const identity = await enrol()
      const pump = await device(identity)
      const closed = new Promise((resolve) => pump.client.once('close', () => resolve('closed')))
      const refused = new Promise<number>((resolve) =>
        pump.client.on('packetreceive', (packet) => {
          if (packet.cmd === 'connack' && packet.returnCode) resolve(packet.returnCode)
        }),
      )
      const reason = 'key_compromise'
      const path = `/cps/devices/${identity.deviceId}/revoke`
      const { status, body } = await soc.call('POST', path, { as, body: { reason } })
      assert.deepEqual([status, body.status, body.certificate.reason], [200, 'revoked', reason])
      assert.equal(await closed, 'closed')
      assert.equal(await refused, 5)
      const again = await soc.call('POST', `/cps/devices/${identity.deviceId}/attest`, { as })
      assert.equal(again.status, 409)
      assert.equal((await read(`/cps/devices/${identity.deviceId}`)).trust_status, 'untrusted')
    },
  )

  await t.test(
    'two that use one certificate are noticed, by their connections and by their answers',
    async (t) => {
      const { enrol, device, ask, alertsOf, read } = devicesOf(t)
      const identity = await enrol()
      const real = await device(identity)
      const copy = await device(identity, { mqtt: { clientId: 'a copy' } })
      await real.publish(identity.enrolled.mqtt.evidence_topic, Buffer.from('anything'))
      await until('the alert', async () => (await alertsOf('cloned')).length === 1)
      assert.equal((await read(`/cps/devices/${identity.deviceId}`)).status, 'quarantined')
      await copy.kill()
      const asked = await ask(identity.deviceId)
      await until('the answer', () => real.memory.answered.has(asked.id))
      await real.publish(
        identity.enrolled.mqtt.evidence_topic,
        real.sign(asked, { boot_seed: 'cd'.repeat(16) }),
      )
      await until(
        'the second clone',
        async () => (await alertsOf('cloned'))[0].occurrence_count > 1,
      )
    },
  )

  await t.test(
    'a device that was set up anew and enrolled with a new key counts its starts anew',
    async (t) => {
      const { enrol, device, ask, settled, alertsOf, read } = devicesOf(t)
      const identity = await enrol()
      const { deviceId } = identity
      const before = await device(identity, { memory: { bootCount: 5, answered: new Set() } })
      await settled((await ask(deviceId)).id, deviceId)
      await before.kill()
      const { body } = await soc.call('POST', `/cps/devices/${deviceId}/enrolment-code`, { as })
      const { csr, key, keyPem } = await makeKey()
      const sent = { code: body.code, csr }
      const { body: enrolled } = await soc.call('POST', '/cps/enrol', { body: sent })
      const after = await device({ deviceId, key, keyPem, enrolled })
      assert.equal((await settled((await ask(deviceId)).id, deviceId)).verdict, 'warning')
      assert.deepEqual(await alertsOf('cloned'), [])
      assert.notEqual((await read(`/cps/devices/${deviceId}`)).status, 'quarantined')
      // What it ran is still known.
      after.tamper()
      assert.match(
        (await settled((await ask(deviceId)).id, deviceId)).reason,
        /configuration changed/,
      )
    },
  )

  await t.test('who answers with a new certificate needs the older ones no more', async (t) => {
    const { enrol, device, ask, settled } = devicesOf(t)
    const identity = await enrol()
    const { deviceId, enrolled: old } = identity
    await device(identity)
    const { body } = await soc.call('POST', `/cps/devices/${deviceId}/enrolment-code`, { as })
    const { csr, key, keyPem } = await makeKey()
    const sent = { code: body.code, csr }
    const { body: enrolled } = await soc.call('POST', '/cps/enrol', { body: sent })
    // Of a broker beside us no connection tells, only the answer.
    Object.assign(identity, { key, keyPem, enrolled })
    await settled((await ask(deviceId)).id, deviceId)
    const certificates = await soc.query(
      'SELECT serial, status FROM cps_certificates WHERE device_id = $1 ORDER BY created_at',
      [deviceId],
    )
    assert.deepEqual(certificates, [
      { serial: old.serial, status: 'revoked' },
      { serial: enrolled.serial, status: 'active' },
    ])
  })

  await t.test('a request that nobody answers expires, is told, and trust falls', async (t) => {
    const { enrol, device, ask, settled, alertsOf, read } = devicesOf(t)
    const identity = await enrol()
    const away = await ask(identity.deviceId)
    await soc.query(`UPDATE cps_attestations SET expires_at = now() WHERE id = $1`, [away.id])
    const gone = await settled(away.id, identity.deviceId)
    assert.deepEqual([gone.status, gone.verdict], ['expired', 'none'])
    assert.match(gone.reason, /not connected/)
    let isTaken = false
    await device(identity, { behaviour: 'silent', onRequest: () => (isTaken = true) })
    const ignored = await ask(identity.deviceId)
    await until('the request', () => isTaken)
    await until(
      'the delivery',
      async () =>
        (await read(`/cps/attestations?device_id=${identity.deviceId}&status=delivered`)).total ===
        1,
    )
    await soc.query(`UPDATE cps_attestations SET expires_at = now() WHERE id = $1`, [ignored.id])
    assert.match((await settled(ignored.id, identity.deviceId)).reason, /did not answer/)
    const [alert] = await alertsOf('missing')
    assert.equal(alert.occurrence_count, 2)
    assert.equal((await read(`/cps/devices/${identity.deviceId}`)).trust_status, 'suspect')
  })

  await t.test(
    'names that no database holds are refused in words, and the device stays connected',
    async (t) => {
      const { enrol, device, ask, settled, alertsOf } = devicesOf(t)
      const identity = await enrol()
      const pump = await device(identity, { behaviour: 'silent' })
      let isLost = false
      pump.client.once('close', () => {
        isLost = true
      })
      const asked = await ask(identity.deviceId)
      const { evidence_topic } = identity.enrolled.mqtt
      const firmware = { name: 'a\0b', version: '1', sha256: '11'.repeat(32) }
      pump.client.publish(evidence_topic, pump.sign(asked, { firmware }), { qos: 1 })
      await until('a word', async () => isLost || (await alertsOf('refused')).length > 0)
      assert.equal(isLost, false)
      assert.match((await alertsOf('refused'))[0].description, /cannot be read.*without NUL/)
      await pump.publish(evidence_topic, pump.sign(asked))
      assert.equal((await settled(asked.id, identity.deviceId)).status, 'answered')
    },
  )
})

import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { test } from 'node:test'
import { makeKey } from '../../../simulated-devices/identity.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

type Key = Awaited<ReturnType<typeof makeKey>>

test('keys that were used', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const newCode = async (id: string): Promise<string> =>
    (await soc.call('POST', `/cps/devices/${id}/enrolment-code`, { as })).body.code
  async function newDevice() {
    const body = { name: 'pump 7', device_type: 'plc' }
    const { id } = (await soc.call('POST', '/cps/devices', { as, body })).body as { id: string }
    return { id, code: await newCode(id) }
  }
  const enrol = (code: string, csr: string) =>
    soc.call('POST', '/cps/enrol', { body: { code, csr } })
  const renew = (body: object) => soc.call('POST', '/cps/renew', { body })
  const revoke = (id: string, reason: string) =>
    soc.call('POST', `/cps/devices/${id}/revoke`, { as, body: { reason } })
  async function enrolled(key: Key) {
    const device = await newDevice()
    const { status, body } = await enrol(device.code, key.csr)
    assert.equal(status, 201)
    return { ...device, certificate: body.certificate as string, serial: body.serial as string }
  }

  const signedBy = (present: Key, certificate: string, csr: string) => {
    const der = Buffer.from(csr.replaceAll(/-----.*-----|\s/g, ''), 'base64')
    return { csr, certificate, signature: sign('sha256', der, present.key).toString('base64') }
  }

  const ANOTHERS = [409, 'csr: its key is that of another device: make a new key on this device']
  const COMPROMISED = [
    409,
    'csr: its key was revoked as compromised: make a new key on this device',
  ]
  const told = (reply: { status: number; body: { detail?: string } }) => [
    ...[reply.status, reply.body.detail],
  ]

  await t.test(
    'the key of another device is refused, the code stays good for another key',
    async () => {
      const [first, own, next] = [await makeKey(), await makeKey(), await makeKey()]
      const pump = await enrolled(first)
      const { id, code } = await newDevice()
      assert.deepEqual(told(await enrol(code, first.csr)), ANOTHERS)
      const { status, body } = await enrol(code, own.csr)
      assert.deepEqual([status, body.device_id], [201, id])

      const taken = signedBy(own, body.certificate, await first.again())
      assert.deepEqual(told(await renew(taken)), ANOTHERS)
      const rekeyed = await renew(signedBy(first, pump.certificate, next.csr))
      assert.equal(rekeyed.status, 201)
      const had = await enrol(await newCode(id), first.csr)
      assert.deepEqual(told(had), ANOTHERS, 'the pump had it before')
      assert.equal((await renew({ csr: await own.again() })).body.device_id, id)
    },
  )

  await t.test(
    'of devices that enrol with one key at the same moment one gets a certificate',
    async () => {
      const { csr } = await makeKey()
      const devices = [await newDevice(), await newDevice(), await newDevice(), await newDevice()]
      const replies = await Promise.all(devices.map(({ code }) => enrol(code, csr)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409])
      const ids = devices.map(({ id }) => id)
      const issued = 'SELECT serial FROM cps_certificates WHERE device_id = ANY($1)'
      assert.equal((await soc.query(issued, [ids])).length, 1)
    },
  )

  await t.test(
    'no key of a device that was revoked as compromised is certified again',
    async () => {
      const [older, newer, own] = [await makeKey(), await makeKey(), await makeKey()]
      const pump = await enrolled(older)
      assert.equal((await renew(signedBy(older, pump.certificate, newer.csr))).status, 201)
      // As when the device has connected with its new certificate.
      await soc.query(`UPDATE cps_certificates SET status = 'revoked', reason = 'superseded',
    revoked_at = now() WHERE serial = '${pump.serial}'`)
      const other = await enrolled(own)
      await revoke(pump.id, 'key_compromise')
      for (const key of [older, newer]) {
        assert.equal((await renew({ csr: await key.again() })).status, 403)
        assert.deepEqual(told(await enrol((await newDevice()).code, key.csr)), COMPROMISED)
        const rekey = signedBy(own, other.certificate, await key.again())
        assert.deepEqual(told(await renew(rekey)), COMPROMISED)
      }
    },
  )

  await t.test(
    'a device keeps its key: with a new code, and as a new device after another reason',
    async () => {
      const mine = await makeKey()
      const pump = await enrolled(mine)
      const again = await enrol(pump.code, await mine.again())
      assert.deepEqual([again.status, again.body.serial], [201, pump.serial])
      const anew = await enrol(await newCode(pump.id), await mine.again())
      assert.deepEqual([anew.status, anew.body.device_id], [201, pump.id])

      await revoke(pump.id, 'cessation_of_operation')
      const { id, code } = await newDevice()
      assert.equal((await enrol(code, await mine.again())).status, 201)
      const renewed = await renew({ csr: await mine.again() })
      assert.deepEqual([renewed.status, renewed.body.device_id], [201, id])
    },
  )

  await t.test('a key that devices shared before is renewed for none of them', async () => {
    const [shared, fresh] = [await makeKey(), await makeKey()]
    const first = await enrolled(shared)
    const second = await enrolled(await makeKey())
    // As it was possible once: the certificate of the second is for the key of the first.
    await soc.query(`UPDATE cps_certificates SET key_sha256 = (SELECT key_sha256
    FROM cps_certificates WHERE serial = '${first.serial}') WHERE serial = '${second.serial}'`)
    const enrolAnew = 'make a new key on this device and enrol with a new code'
    const refused = [409, `certificate: its key is that of another device too: ${enrolAnew}`]
    assert.deepEqual(told(await renew({ csr: shared.csr })), refused)
    const rekey = signedBy(shared, first.certificate, fresh.csr)
    assert.deepEqual(told(await renew(rekey)), refused, 'the other one could ask for it as well')

    await revoke(first.id, 'key_compromise')
    assert.deepEqual(told(await renew({ csr: shared.csr })), [
      ...[409, `certificate: its key was revoked as compromised: ${enrolAnew}`],
    ])
    assert.equal((await enrol(await newCode(second.id), fresh.csr)).status, 201)
    assert.equal((await renew({ csr: fresh.csr })).body.device_id, second.id)
  })

  await t.test(
    'a key that was found stolen after its device was revoked is blocked then',
    async () => {
      const mine = await makeKey()
      const pump = await enrolled(mine)
      const first = await revoke(pump.id, 'superseded')
      const list = async () => String((await soc.call('GET', '/cps/crl?format=pem')).body)
      const before = await list()
      const certificate = async () =>
        (await soc.call('GET', `/cps/devices/${pump.id}`, { as })).body.certificate as {
          reason: string
          revoked_at: string
        }
      const revoked = first.body.certificate

      const other = await revoke(pump.id, 'privilege_withdrawn')
      assert.deepEqual([other.status, other.body.certificate], [200, revoked], 'it stays as it is')
      const raised = await revoke(pump.id, 'key_compromise')
      const compromised = { ...revoked, reason: 'key_compromise' }
      assert.deepEqual([raised.status, raised.body.certificate], [200, compromised])
      assert.notEqual(await list(), before, 'the list says so')
      assert.deepEqual(told(await enrol((await newDevice()).code, await mine.again())), COMPROMISED)

      await revoke(pump.id, 'key_compromise')
      await revoke(pump.id, 'superseded')
      assert.deepEqual(await certificate(), compromised, 'and never back')
      const path = `/audit?action=device.revoke&target=device:${pump.id}&order=asc`
      const { items } = (await soc.call('GET', path, { as })).body
      const reasons = items.map((item: { after: { certificate: { reason: string } } }) => [
        item.after.certificate.reason,
      ])
      assert.deepEqual(reasons.flat(), ['superseded', 'key_compromise'])
    },
  )

  await t.test(
    'a quarantined device that is enrolled anew begins anew, with a new key alone',
    async () => {
      const [shared, own] = [await makeKey(), await makeKey()]
      const { id, serial } = await enrolled(shared)
      await soc.query(
        `UPDATE cps_devices SET status = 'quarantined', trust_status = 'untrusted',
      boot_count = 9, boot_seed = 'ab', reference = '{}' WHERE id = $1`,
        [id],
      )
      const code = await newCode(id)
      assert.deepEqual(told(await enrol(code, await shared.again())), [
        ...[409, 'csr: its key is used by two: make a new key on this device'],
      ])
      assert.equal((await enrol(code, own.csr)).status, 201)
      const [device] = await soc.query(
        `SELECT status, trust_status, boot_count, boot_seed, reference FROM cps_devices
      WHERE id = $1`,
        [id],
      )
      assert.deepEqual(device, {
        ...{ status: 'offline', trust_status: 'unknown' },
        ...{ boot_count: null, boot_seed: null, reference: null },
      })
      const [old] = await soc.query(
        'SELECT status, reason FROM cps_certificates WHERE serial = $1',
        [serial],
      )
      assert.deepEqual(old, { status: 'revoked', reason: 'superseded' })
      assert.equal((await renew({ csr: await shared.again() })).status, 403)
      assert.equal((await renew({ csr: await own.again() })).status, 201)
    },
  )
})

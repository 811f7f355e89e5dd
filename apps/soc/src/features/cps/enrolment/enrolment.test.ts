import assert from 'node:assert/strict'
import { sign, type webcrypto, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { makeKey } from '../../../simulated-devices/identity.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import * as x509 from '../authority/x509.ts'

const PUMP = { name: 'pump 7', device_type: 'plc' }

test('enrolment', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()

  async function withDevice() {
    const device = (await soc.call('POST', '/cps/devices', { as, body: PUMP })).body
    const newCode = async () =>
      (await soc.call('POST', `/cps/devices/${device.id}/enrolment-code`, { as })).body
    return { device, newCode, code: await newCode() }
  }

  const enrol = (code: string, csr: string) =>
    soc.call('POST', '/cps/enrol', { body: { code, csr } })

  await t.test(
    'POST /cps/enrol answers a code and a request with a certificate of the authority',
    async () => {
      const { device, code } = await withDevice()
      const { csr, key } = await makeKey()
      const { status, body } = await enrol(code.code, csr)
      assert.equal(status, 201)
      const certificate = new X509Certificate(body.certificate)
      const root = new X509Certificate(body.ca)
      assert.ok(certificate.verify(root.publicKey) && certificate.checkPrivateKey(key))
      assert.equal(certificate.subject, `CN=${device.id}`)
      assert.deepEqual([certificate.ca, root.ca], [false, true])
      assert.equal(root.fingerprint256.replaceAll(':', '').toLowerCase(), code.ca_fingerprint)
      assert.equal(body.mqtt.request_topic, `devices/${device.id}/attestation_request`)
      const shown = (await soc.call('GET', `/cps/devices/${device.id}`, { as })).body
      assert.deepEqual(
        [shown.certificate.serial, shown.certificate.status, shown.managed],
        [body.serial, 'active', true],
      )
    },
  )

  await t.test(
    'a device is asked from its certificate on, anywhere within its interval',
    async () => {
      const { device, code } = await withDevice()
      const path = `/cps/devices/${device.id}`
      const planned = async () => (await soc.call('GET', path, { as })).body.next_attestation_at
      const everyAfter = async (attest_every_s: number) => {
        await soc.call('PATCH', path, { as, body: { attest_every_s } })
        return planned()
      }
      assert.equal(await everyAfter(7_200), null)
      await enrol(code.code, (await makeKey()).csr)
      const isWithin = (at: string, seconds: number) =>
        Date.parse(at) - Date.now() <= seconds * 1_000
      assert.ok(isWithin(await planned(), 7_200))
      assert.ok(isWithin(await everyAfter(60), 60))
      assert.equal(await everyAfter(0), null)
    },
  )

  await t.test(
    'a code is good once; its own device is answered again when the answer got lost',
    async () => {
      const { code } = await withDevice()
      const mine = await makeKey()
      const first = await enrol(code.code, mine.csr)
      const again = await enrol(code.code.toLowerCase(), await mine.again())
      assert.deepEqual([again.status, again.body.serial], [201, first.body.serial])
      const thief = await enrol(code.code, (await makeKey()).csr)
      assert.equal(thief.status, 401)
      assert.match(thief.body.detail, /^code: /)
    },
  )

  await t.test(
    'a wrong, replaced or expired code is 401, a bad request 400, and nothing is used up',
    async () => {
      const { code, newCode } = await withDevice()
      const { csr } = await makeKey()
      const strong = await makeKey({ name: 'ECDSA', namedCurve: 'P-384' })
      // The last byte is of the signature.
      const der = Buffer.from(csr.replaceAll(/-----.*-----|\s/g, ''), 'base64')
      der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1)
      const other = der.toString('base64')
      for (const [what, sent, status] of [
        ['no code', { csr }, 400],
        ['no request', { code: code.code, csr: 'hello' }, 400],
        ['another curve', { code: code.code, csr: strong.csr }, 400],
        ['a changed request', { code: code.code, csr: other }, 400],
        ['another code', { code: 'AAAAA-AAAAA-AAAAA-AAAAA', csr }, 401],
      ] as const) {
        const reply = await soc.call('POST', '/cps/enrol', { body: sent })
        assert.equal(reply.status, status, what)
        assert.match(reply.body.detail, /^(code|csr): /, what)
      }
      const next = await newCode()
      assert.equal((await enrol(code.code, csr)).status, 401)
      await soc.query(`UPDATE cps_enrolment_codes SET expires_at = now()`)
      assert.equal((await enrol(next.code, csr)).status, 401)
      assert.equal((await enrol((await newCode()).code, csr)).status, 201)
    },
  )

  await t.test('POST /cps/renew needs the present key, for itself or for a new one', async () => {
    const { device, code } = await withDevice()
    const mine = await makeKey()
    const first = (await enrol(code.code, mine.csr)).body
    const renew = (body: object) => soc.call('POST', '/cps/renew', { body })

    const same = await renew({ csr: await mine.again() })
    assert.equal(same.status, 201)
    assert.notEqual(same.body.serial, first.serial)
    const fresh = await makeKey()
    assert.equal((await renew({ csr: fresh.csr })).status, 403)
    const der = Buffer.from(fresh.csr.replaceAll(/-----.*-----|\s/g, ''), 'base64')
    const signed = (by: typeof mine) => ({
      csr: fresh.csr,
      certificate: first.certificate,
      signature: sign('sha256', der, by.key).toString('base64'),
    })
    assert.equal((await renew(signed(fresh))).status, 401)
    const rekeyed = await renew(signed(mine))
    assert.equal(rekeyed.status, 201)
    assert.ok(new X509Certificate(rekeyed.body.certificate).checkPrivateKey(fresh.key))

    await soc.call('POST', `/cps/devices/${device.id}/revoke`, { as })
    assert.equal((await renew({ csr: await mine.again() })).status, 403)
    assert.equal((await renew(signed(mine))).status, 403)
  })

  await t.test('kinds of keys that are never certified are refused like any other', async () => {
    const { csr } = await makeKey()
    const keys = (await crypto.subtle.generateKey('Ed25519', true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair
    const stranger = await x509.X509CertificateGenerator.createSelfSigned({ name: 'CN=x', keys })
    const proof = { certificate: x509.toPem('CERTIFICATE', stranger.rawData), signature: 'AAAA' }
    const renewed = await soc.call('POST', '/cps/renew', { body: { csr, ...proof } })
    assert.equal(renewed.status, 401)
    assert.match(renewed.body.detail, /^signature: /)

    const der = Buffer.from(csr.replaceAll(/-----.*-----|\s/g, ''), 'base64')
    der[der.indexOf(Buffer.from('06082a8648ce3d030107', 'hex'))] = 0x30
    const enrolled = await enrol('ABCD-EFGH', der.toString('base64'))
    assert.equal(enrolled.status, 400)
    assert.match(enrolled.body.detail, /^csr: /)
  })

  await t.test('the key of the authority is in the database only sealed', async () => {
    const { code } = await withDevice()
    await enrol(code.code, (await makeKey()).csr)
    const [row] = await soc.query<{ sealed_key: string }>('SELECT sealed_key FROM cps_authority')
    assert.match(row?.sealed_key ?? '', /^sealed-1\./)
  })
})

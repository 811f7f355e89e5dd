import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeKey } from '../../../simulated-devices/identity.ts'
import { deviceCalls } from '../../../testing/devices.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

function folder(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'authority-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: directory, encoding: 'utf8', stdio: 'pipe' })
  const write = (name: string, content: string | Buffer) =>
    writeFileSync(path.join(directory, name), content)
  return { openssl, write, directory }
}

test('certificates of devices', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()

  async function withTwoDevices(t: TestContext) {
    const { enrol } = deviceCalls(t, soc, as, { host: '', port: 0 })
    const [good, bad] = [await enrol(), await enrol({ name: 'pump 8' })]
    const body = { reason: 'key_compromise' }
    await soc.call('POST', `/cps/devices/${bad.deviceId}/revoke`, { as, body })
    const files = folder(t)
    files.write('ca.pem', good.enrolled.ca)
    files.write('good.pem', good.enrolled.certificate)
    files.write('bad.pem', bad.enrolled.certificate)
    const raw = (method: 'GET' | 'POST', url: string, payload?: Buffer | string, headers = {}) =>
      soc.http.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { bad, raw, ...files }
  }

  await t.test(
    'GET /cps/crl is a signed list by which openssl tells good from revoked',
    async (t) => {
      const { raw, write, openssl, bad } = await withTwoDevices(t)
      write('list.pem', (await raw('GET', '/api/v1/cps/crl?format=pem')).body)
      const der = (await raw('GET', '/api/v1/cps/crl')).rawPayload
      write('list.der', der)
      const check = (name: string) =>
        openssl(
          'verify',
          '-crl_check',
          '-purpose',
          'sslclient',
          '-CAfile',
          'ca.pem',
          '-CRLfile',
          'list.pem',
          name,
        )
      assert.match(check('good.pem'), /OK/)
      assert.throws(() => check('bad.pem'), /certificate revoked/)
      const text = openssl('crl', '-inform', 'der', '-in', 'list.der', '-noout', '-text')
      assert.match(text, new RegExp(bad.enrolled.serial, 'i'))
      assert.match(text, /Key Compromise/)
      assert.match(text, /X509v3 CRL Number:\s+1\b/)
    },
  )

  await t.test(
    'POST /cps/ocsp answers good, revoked and unknown, signed, with the nonce',
    async (t) => {
      const { raw, write, openssl, directory } = await withTwoDevices(t)
      const type = { 'content-type': 'application/ocsp-request' }
      const answer = async () => {
        const request = readFileSync(path.join(directory, 'request.der'))
        const reply = await raw('POST', '/api/v1/cps/ocsp', request, type)
        assert.equal(reply.headers['content-type'], 'application/ocsp-response')
        write('answer.der', reply.rawPayload)
      }
      const ask = async (...what: string[]) => {
        const asking = ['ocsp', '-issuer', 'ca.pem', ...what, '-no_nonce']
        openssl(...asking, '-reqout', 'request.der')
        await answer()
        return openssl(...asking, '-respin', 'answer.der', '-CAfile', 'ca.pem')
      }
      assert.match(await ask('-cert', 'good.pem'), /good\.pem: good/)
      assert.match(await ask('-cert', 'bad.pem'), /bad\.pem: revoked[\s\S]*keyCompromise/)
      assert.match(await ask('-serial', '0x1234'), /unknown/)
      openssl('ocsp', '-issuer', 'ca.pem', '-cert', 'good.pem', '-reqout', 'request.der')
      await answer()
      // Fails when the nonce of the answer is not that of the request.
      openssl(
        'ocsp',
        '-reqin',
        'request.der',
        '-respin',
        'answer.der',
        '-CAfile',
        'ca.pem',
        '-verify_other',
        'ca.pem',
      )
      const nonsense = await raw('POST', '/api/v1/cps/ocsp', Buffer.from('hello'), type)
      assert.deepEqual([...nonsense.rawPayload], [0x30, 0x03, 0x0a, 0x01, 0x01])
    },
  )

  await t.test(
    'GET /cps/ocsp/{request} answers as POST does, however the base64 is written',
    async (t) => {
      const { raw, write, openssl, directory } = await withTwoDevices(t)
      let request = ''
      // The nonce is another one each time.
      while (!request.includes('/')) {
        openssl('ocsp', '-issuer', 'ca.pem', '-cert', 'bad.pem', '-reqout', 'request.der')
        request = readFileSync(path.join(directory, 'request.der')).toString('base64')
      }
      for (const written of [encodeURIComponent(request), request]) {
        const reply = await raw('GET', `/api/v1/cps/ocsp/${written}`)
        assert.equal(reply.headers['content-type'], 'application/ocsp-response')
        write('answer.der', reply.rawPayload)
        const asked = ['ocsp', '-reqin', 'request.der', '-respin', 'answer.der', '-text']
        const said = openssl(...asked, '-CAfile', 'ca.pem', '-verify_other', 'ca.pem')
        assert.match(said, /Cert Status: revoked/)
      }
      const nonsense = await raw('GET', '/api/v1/cps/ocsp/hello')
      assert.deepEqual([...nonsense.rawPayload], [0x30, 0x03, 0x0a, 0x01, 0x01])
    },
  )

  await t.test(
    'EST: cacerts, simpleenroll with the code as password, simplereenroll with the same key',
    async (t) => {
      const { raw, write, openssl } = await withTwoDevices(t)
      const pkcs7 = (body: string, name: string) => {
        write(name, Buffer.from(body, 'base64'))
        return openssl('pkcs7', '-inform', 'der', '-in', name, '-print_certs')
      }
      const ca = await raw('GET', '/.well-known/est/cacerts')
      assert.match(String(ca.headers['content-type']), /^application\/pkcs7-mime/)
      assert.match(pkcs7(ca.body, 'ca.p7'), /Manara devices/)

      const device = (
        await soc.call('POST', '/cps/devices', { as, body: { name: 'valve', device_type: 'rtu' } })
      ).body
      const { code } = (await soc.call('POST', `/cps/devices/${device.id}/enrolment-code`, { as }))
        .body
      const made = await makeKey()
      const csr = made.csr.replaceAll(/-----.*-----\n/g, '')
      const type = { 'content-type': 'application/pkcs10' }
      const without = await raw('POST', '/.well-known/est/simpleenroll', csr, type)
      assert.equal(without.statusCode, 401)
      assert.match(String(without.headers['www-authenticate']), /^Basic/)
      const authorization = `Basic ${Buffer.from(`valve:${code}`).toString('base64')}`
      const enrolled = await raw('POST', '/.well-known/est/simpleenroll', csr, {
        ...type,
        authorization,
      })
      assert.equal(enrolled.statusCode, 200)
      assert.match(pkcs7(enrolled.body, 'first.p7'), new RegExp(`CN ?= ?${device.id}`))
      const renewed = await raw('POST', '/.well-known/est/simplereenroll', csr, type)
      assert.equal(renewed.statusCode, 200)
      assert.notEqual(renewed.body, enrolled.body)
      const stranger = (await makeKey()).csr
      assert.equal(
        (await raw('POST', '/.well-known/est/simplereenroll', stranger, type)).statusCode,
        403,
      )
    },
  )

  await t.test('GET /cps/crl is good for a broker whose clock lags a little', async (t) => {
    const { raw, write, openssl } = await withTwoDevices(t)
    write('list.pem', (await raw('GET', '/api/v1/cps/crl?format=pem')).body)
    const lagging = String(Math.floor(Date.now() / 1000) - 120)
    const files = ['-CAfile', 'ca.pem', '-CRLfile', 'list.pem', 'good.pem']
    assert.match(openssl('verify', '-crl_check', '-attime', lagging, ...files), /OK/)
  })
})

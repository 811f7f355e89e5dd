import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { isSignature, SIGNATURE_HEADERS } from '../../adapters/edr-signature.ts'
import { playbookRuns } from '../../testing/playbook-runs.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'
import { WEBHOOKS_ALLOWED } from '../../testing/webhook-server.ts'

/** Answers those who sign with the secret, and counts them. */
async function startEdr(t: TestContext, secret: string) {
  const seen = { signed: 0, refused: 0 }
  // A connection that nobody uses for a while is not closed under who is about to use it again.
  const server = createServer(
    { keepAliveTimeout: 0 },
    ({ method = '', url: path = '', headers }, reply) => {
      const header = (name: keyof typeof SIGNATURE_HEADERS) =>
        String(headers[SIGNATURE_HEADERS[name]])
      const parts = {
        method,
        path,
        timestamp: header('timestamp'),
        nonce: header('nonce'),
        body: '',
      }
      const isGood = isSignature(secret, parts, header('signature'))
      seen[isGood ? 'signed' : 'refused'] += 1
      reply.statusCode = isGood ? 200 : 401
      reply.end(JSON.stringify(isGood ? { endpoints: [], next_cursor: null } : { error: 'no' }))
    },
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => new Promise((resolve) => server.close(resolve)))
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function startMail(t: TestContext) {
  const passwords: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      passwords.push(password ?? '')
      done(null, { user: 'soc' })
    },
    onData(stream, _session, done) {
      stream.resume().on('end', done)
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { passwords, url: `smtp://soc@127.0.0.1:${port}` }
}

test('connectors sign in with secrets that settings name', async (t) => {
  const edr = await startEdr(t, 'the secret of the EDR')
  const mail = await startMail(t)
  const soc = await startTestSoc(t, {
    edr: { url: edr.url, secret: 'secret:edr-key', pollMs: 50 },
    response: { ...WEBHOOKS_ALLOWED, smtpUrl: mail.url, smtpPassword: 'secret:smtp' },
  })
  const as = await soc.signIn()
  const store = (name: string, body: object) => soc.call('PUT', `/secrets/${name}`, { as, body })

  await t.test('the EDR is asked once its secret is stored, and with the newest', async () => {
    assert.deepEqual(edr.seen, { signed: 0, refused: 0 }, 'nothing is sent without it')
    await store('edr-key', { value: 'not the right one' })
    await until('it signs with what is stored', () => edr.seen.refused > 0)
    await store('edr-key', { value: 'the secret of the EDR' })
    await until('it signs with the new value', () => edr.seen.signed > 0)
  })

  await t.test('it is sent to its own hosts only', async () => {
    await store('edr-key', { value: 'the secret of the EDR', hosts: ['edr.example.com'] })
    const { signed } = edr.seen
    const { body } = await soc.call('GET', '/secrets/edr-key', { as })
    assert.deepEqual(body.hosts, ['edr.example.com'])
    // One that was under way may still arrive; the many after it do not.
    await until('polls go by', async () => {
      const { body: state } = await soc.call('GET', '/edr/stats', { as })
      return JSON.stringify(state).includes('may only be sent to edr.example.com')
    })
    assert.ok(edr.seen.signed - signed <= 1)
  })

  await t.test('mail is sent with the password that is stored', async () => {
    const { write, run } = playbookRuns(soc, as)
    const params = { to: 'a@example.com', subject: 's', body: 'b' }
    const playbook = await write({ steps: [{ id: 'mail', action: 'send_email', params }] })
    const missing = await run(playbook)
    assert.match(missing.error ?? '', /secrets\.smtp: is not stored: PUT \/secrets\/smtp/)
    await store('smtp', { value: 'pass: word/42' })
    assert.equal((await run(playbook)).status, 'completed')
    assert.deepEqual(mail.passwords, ['pass: word/42'])
  })

  await t.test('one that a setting names cannot be deleted, and says so', async () => {
    const { body } = await soc.call('GET', '/secrets/edr-key', { as })
    assert.deepEqual(body.used_by_settings, ['EDR_SECRET'])
    const kept = await soc.call('DELETE', '/secrets/edr-key', { as })
    assert.equal(kept.status, 409)
    assert.match(kept.body.detail, /is used by EDR_SECRET/)
  })
})

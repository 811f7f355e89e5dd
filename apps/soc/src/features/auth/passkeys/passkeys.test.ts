import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSoftPasskey } from '../../../testing/soft-passkey.ts'
import { startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'

const ORIGIN = 'https://soc.example'
const settings = { publicUrl: `${ORIGIN}/` }
const password = 'leila password'

type SoftPasskey = ReturnType<typeof createSoftPasskey>

async function enrol(soc: TestSoc, as: string, passkey: SoftPasskey, origin = ORIGIN) {
  await soc.call('POST', '/auth/proof', { as, body: { password } })
  const { body } = await soc.call('POST', '/auth/second-factors/passkeys/options', { as })
  const credential = passkey.create(body.options, origin)
  const answer = { flow: body.flow, credential, name: 'key ring' }
  return soc.call('POST', '/auth/second-factors/passkeys', { as, body: answer })
}

async function withPasskey(soc: TestSoc) {
  const as = await soc.signInAs('analyst', 'leila')
  const passkey = createSoftPasskey()
  const enrolled = await enrol(soc, as, passkey)
  assert.equal(enrolled.status, 200, JSON.stringify(enrolled.body))
  assert.equal(enrolled.body.recovery_codes.length, 10)
  return { as, passkey }
}

async function challenge(soc: TestSoc) {
  const { status, body } = await soc.call('POST', '/auth/passkeys/options')
  assert.equal(status, 200)
  return body as { flow: string; options: Record<string, unknown> }
}

const answer = (soc: TestSoc, flow: string, credential: object) =>
  soc.call('POST', '/auth/passkeys', { body: { flow, credential } })

test('a passkey signs in by itself, and the password alone no longer does', async (t) => {
  const soc = await startTestSoc(t, settings)
  const { passkey } = await withPasskey(soc)
  const { flow, options } = await challenge(soc)
  assert.equal(options.rpId, 'soc.example')
  assert.equal(options.allowCredentials, undefined, 'names nobody')
  const entered = await answer(soc, flow, passkey.get(options, ORIGIN))
  assert.equal(entered.status, 200, JSON.stringify(entered.body))
  const me = await soc.call('GET', '/users/me', { as: entered.body.access_token })
  assert.equal(me.body.username, 'leila')
  const alone = await soc.call('POST', '/auth/token', { body: { username: 'leila', password } })
  assert.equal(alone.status, 401)
  assert.match(alone.body.detail, /^otp: a second factor is needed: sign in with your passkey/)
})

test('an answer is good once', async (t) => {
  const soc = await startTestSoc(t, settings)
  const { passkey } = await withPasskey(soc)
  const { flow, options } = await challenge(soc)
  const credential = passkey.get(options, ORIGIN)
  assert.equal((await answer(soc, flow, credential)).status, 200)
  assert.equal((await answer(soc, flow, credential)).status, 401)
  const next = await challenge(soc)
  assert.equal((await answer(soc, next.flow, credential)).status, 401, 'to another challenge')
})

test('a passkey used on the page of another origin, or for another name, is refused', async (t) => {
  const soc = await startTestSoc(t, settings)
  const { passkey } = await withPasskey(soc)
  for (const [origin, forRp] of [
    ['https://soc.example.evil.test', undefined],
    ['http://soc.example', undefined],
    ['https://soc.example:8443', undefined],
    [ORIGIN, 'evil.test'],
  ] as const) {
    const { flow, options } = await challenge(soc)
    const reply = await answer(soc, flow, passkey.get(options, origin, forRp))
    assert.equal(reply.status, 401, `${origin} ${forRp}`)
  }
  const other = await soc.signInAs('viewer', 'omar')
  await soc.call('POST', '/auth/proof', { as: other, body: { password: 'omar password' } })
  const begun = await soc.call('POST', '/auth/second-factors/passkeys/options', { as: other })
  const body = {
    flow: begun.body.flow,
    credential: createSoftPasskey().create(begun.body.options, 'https://evil.test'),
    name: 'from elsewhere',
  }
  const refused = await soc.call('POST', '/auth/second-factors/passkeys', { as: other, body })
  assert.equal(refused.status, 400)
  assert.match(refused.body.detail, /^credential: is not accepted/)
})

test('a passkey that did not ask for a PIN or a finger is not two factors', async (t) => {
  const soc = await startTestSoc(t, settings)
  const as = await soc.signInAs('analyst', 'leila')
  const refused = await enrol(soc, as, createSoftPasskey({ verifiesUser: false }))
  assert.equal(refused.status, 400)
  assert.match(refused.body.detail, /^credential: is not accepted: .*[Uu]ser/)
})

test('a passkey of somebody who is disabled, removed or unknown is refused alike', async (t) => {
  const soc = await startTestSoc(t, settings)
  const { passkey } = await withPasskey(soc)
  const admin = await soc.signIn()
  await soc.call('PATCH', '/users/leila', { as: admin, body: { disabled: true } })
  const first = await challenge(soc)
  const disabled = await answer(soc, first.flow, passkey.get(first.options, ORIGIN))
  const second = await challenge(soc)
  const unknown = await answer(soc, second.flow, createSoftPasskey().get(second.options, ORIGIN))
  assert.deepEqual([disabled.status, disabled.body], [401, unknown.body])
  for (const credential of [{}, { id: 7 }, { id: '\0' }, { id: 'x', response: 'y' }]) {
    const { flow } = await challenge(soc)
    assert.equal((await answer(soc, flow, credential)).status, 401)
  }
})

test('wrong passwords of neighbours do not keep a passkey out', async (t) => {
  const soc = await startTestSoc(t, settings)
  const { passkey } = await withPasskey(soc)
  for (let n = 0; n < 11; n += 1) {
    await soc.call('POST', '/auth/token', { body: { username: 'nobody', password: `guess ${n}` } })
  }
  const { flow, options } = await challenge(soc)
  assert.equal((await answer(soc, flow, passkey.get(options, ORIGIN))).status, 200)
})

test('a passkey proves who one is, and its own removal needs that proof', async (t) => {
  const soc = await startTestSoc(t, settings)
  const { as, passkey } = await withPasskey(soc)
  const { body } = await soc.call('GET', '/auth/second-factors', { as })
  const [{ id, name }] = body.passkeys
  assert.equal(name, 'key ring')
  const remove = () => soc.call('DELETE', `/auth/second-factors/passkeys/${id}`, { as })
  assert.equal((await remove()).status, 409)
  const password_ = await soc.call('POST', '/auth/proof', { as, body: { password } })
  assert.match(password_.body.detail, /^passkey: is needed/)

  const stranger = createSoftPasskey()
  const other = await soc.signInAs('viewer', 'omar')
  await soc.call('POST', '/auth/proof', { as: other, body: { password: 'omar password' } })
  const begun = await soc.call('POST', '/auth/second-factors/passkeys/options', { as: other })
  await soc.call('POST', '/auth/second-factors/passkeys', {
    as: other,
    body: {
      flow: begun.body.flow,
      credential: stranger.create(begun.body.options, ORIGIN),
      name: 'x',
    },
  })
  const proveWith = async (key: SoftPasskey) => {
    const { flow, options } = await challenge(soc)
    const given = { flow, credential: key.get(options, ORIGIN) }
    return soc.call('POST', '/auth/proof', { as, body: { passkey: given } })
  }
  assert.equal((await proveWith(stranger)).status, 400, 'the passkey of somebody else')
  assert.equal((await proveWith(passkey)).status, 200)
  assert.equal((await remove()).status, 200)
  const alone = await soc.call('POST', '/auth/token', { body: { username: 'leila', password } })
  assert.equal(alone.status, 200)
})

test('without SOC_PUBLIC_URL passkeys work on localhost and on names that are set', async (t) => {
  const soc = await startTestSoc(t, { hostNames: ['soc.lan'] })
  const ask = async (host: string) =>
    (await soc.call('POST', '/auth/passkeys/options', { headers: { host } })).status
  assert.equal(await ask('localhost:8000'), 200)
  assert.equal(await ask('rebound.evil.test'), 409)
  assert.equal(await ask('soc.lan'), 409, 'browsers want https')
  assert.equal(await ask('10.0.0.1:8000'), 409)
})

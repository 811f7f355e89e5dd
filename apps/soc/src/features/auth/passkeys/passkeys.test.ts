import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSoftPasskey } from '../../../testing/soft-passkey.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'

const ORIGIN = 'https://soc.example'

type SoftPasskey = ReturnType<typeof createSoftPasskey>

test('passkeys', async (t) => {
  const soc = await startTestSoc(t, { publicUrl: `${ORIGIN}/` })
  let people = 0

  /** Signed in, under a name that no other test has. */
  async function somebody() {
    people += 1
    const username = `leila-${people}`
    const { password } = await soc.addUser(username, 'analyst')
    const as = await soc.signIn(username)
    return { as, username, password }
  }

  type Person = Awaited<ReturnType<typeof somebody>>

  async function enrol({ as, password }: Person, passkey: SoftPasskey, origin = ORIGIN) {
    await soc.call('POST', '/auth/proof', { as, body: { password } })
    const { body } = await soc.call('POST', '/auth/second-factors/passkeys/options', { as })
    const credential = passkey.create(body.options, origin)
    const answer = { flow: body.flow, credential, name: 'key ring' }
    return soc.call('POST', '/auth/second-factors/passkeys', { as, body: answer })
  }

  async function withPasskey() {
    const person = await somebody()
    const passkey = createSoftPasskey()
    const enrolled = await enrol(person, passkey)
    assert.equal(enrolled.status, 200, JSON.stringify(enrolled.body))
    assert.equal(enrolled.body.recovery_codes.length, 10)
    return { ...person, passkey }
  }

  async function challenge() {
    const { status, body } = await soc.call('POST', '/auth/passkeys/options')
    assert.equal(status, 200)
    return body as { flow: string; options: Record<string, unknown> }
  }

  const answer = (flow: string, credential: object) =>
    soc.call('POST', '/auth/passkeys', { body: { flow, credential } })

  await t.test('a passkey signs in by itself, and the password alone no longer does', async () => {
    const { passkey, username, password } = await withPasskey()
    const { flow, options } = await challenge()
    assert.equal(options.rpId, 'soc.example')
    assert.equal(options.allowCredentials, undefined, 'names nobody')
    const entered = await answer(flow, passkey.get(options, ORIGIN))
    assert.equal(entered.status, 200, JSON.stringify(entered.body))
    const me = await soc.call('GET', '/users/me', { as: entered.body.access_token })
    assert.equal(me.body.username, username)
    const alone = await soc.call('POST', '/auth/token', { body: { username, password } })
    assert.equal(alone.status, 401)
    assert.match(alone.body.detail, /^otp: a second factor is needed: sign in with your passkey/)
  })

  await t.test('an answer is good once', async () => {
    const { passkey } = await withPasskey()
    const { flow, options } = await challenge()
    const credential = passkey.get(options, ORIGIN)
    assert.equal((await answer(flow, credential)).status, 200)
    assert.equal((await answer(flow, credential)).status, 401)
    const next = await challenge()
    assert.equal((await answer(next.flow, credential)).status, 401, 'to another challenge')
  })

  await t.test(
    'a passkey used on the page of another origin, or for another name, is refused',
    async () => {
      const { passkey } = await withPasskey()
      for (const [origin, forRp] of [
        ['https://soc.example.evil.test', undefined],
        ['http://soc.example', undefined],
        ['https://soc.example:8443', undefined],
        [ORIGIN, 'evil.test'],
      ] as const) {
        const { flow, options } = await challenge()
        const reply = await answer(flow, passkey.get(options, origin, forRp))
        assert.equal(reply.status, 401, `${origin} ${forRp}`)
      }
      const refused = await enrol(await somebody(), createSoftPasskey(), 'https://evil.test')
      assert.equal(refused.status, 400)
      assert.match(refused.body.detail, /^credential: is not accepted/)
    },
  )

  await t.test('a passkey that did not ask for a PIN or a finger is not two factors', async () => {
    const refused = await enrol(await somebody(), createSoftPasskey({ verifiesUser: false }))
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, /^credential: is not accepted: .*[Uu]ser/)
  })

  await t.test(
    'a passkey of somebody who is disabled, removed or unknown is refused alike',
    async () => {
      const { passkey, username } = await withPasskey()
      const admin = await soc.signIn()
      await soc.call('PATCH', `/users/${username}`, { as: admin, body: { disabled: true } })
      const first = await challenge()
      const disabled = await answer(first.flow, passkey.get(first.options, ORIGIN))
      const second = await challenge()
      const unknown = await answer(second.flow, createSoftPasskey().get(second.options, ORIGIN))
      assert.deepEqual([disabled.status, disabled.body], [401, unknown.body])
      for (const credential of [{}, { id: 7 }, { id: '\0' }, { id: 'x', response: 'y' }]) {
        const { flow } = await challenge()
        assert.equal((await answer(flow, credential)).status, 401)
      }
    },
  )

  await t.test('a passkey proves who one is, and its own removal needs that proof', async () => {
    const { as, passkey, username, password } = await withPasskey()
    const { body } = await soc.call('GET', '/auth/second-factors', { as })
    const [{ id, name }] = body.passkeys
    assert.equal(name, 'key ring')
    const remove = () => soc.call('DELETE', `/auth/second-factors/passkeys/${id}`, { as })
    assert.equal((await remove()).status, 409)
    const byPassword = await soc.call('POST', '/auth/proof', { as, body: { password } })
    assert.match(byPassword.body.detail, /^passkey: is needed/)

    const { passkey: stranger } = await withPasskey()
    const proveWith = async (key: SoftPasskey) => {
      const { flow, options } = await challenge()
      const given = { flow, credential: key.get(options, ORIGIN) }
      return soc.call('POST', '/auth/proof', { as, body: { passkey: given } })
    }
    assert.equal((await proveWith(stranger)).status, 400, 'the passkey of somebody else')
    assert.equal((await proveWith(passkey)).status, 200)
    assert.equal((await remove()).status, 200)
    const alone = await soc.call('POST', '/auth/token', { body: { username, password } })
    assert.equal(alone.status, 200)
  })

  await t.test('wrong passwords of neighbours do not keep a passkey out', async () => {
    const { passkey } = await withPasskey()
    await soc.query(`INSERT INTO rate_budgets (key, ends_at, used)
      VALUES ('sign-in address 127.0.0.1', now() + interval '1 minute', 10)`)
    const body = { username: 'nobody', password: 'a guess' }
    assert.equal((await soc.call('POST', '/auth/token', { body })).status, 429)
    const { flow, options } = await challenge()
    assert.equal((await answer(flow, passkey.get(options, ORIGIN))).status, 200)
  })
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

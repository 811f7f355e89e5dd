import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuthenticatorApp } from '../../../testing/authenticator-app.ts'
import { ADMIN_PASSWORD, startTestSoc, type TestSoc } from '../../../testing/test-soc.ts'

const leila = { username: 'leila', password: 'leila password' }

async function prove(soc: TestSoc, as: string, body: object = { password: leila.password }) {
  return soc.call('POST', '/auth/proof', { as, body })
}

/** Leila with an app: signed in by it, and the codes she was shown. */
async function withApp(soc: TestSoc) {
  const as = await soc.signInAs('analyst', 'leila')
  assert.equal((await prove(soc, as)).status, 200)
  const begun = await soc.call('POST', '/auth/second-factors/totp', { as })
  assert.equal(begun.status, 200)
  const app = createAuthenticatorApp(begun.body.secret)
  const body = { flow: begun.body.flow, code: await app.next() }
  const done = await soc.call('POST', '/auth/second-factors/totp/confirm', { as, body })
  assert.equal(done.status, 200)
  return { as, app, codes: done.body.recovery_codes as string[] }
}

const enter = (soc: TestSoc, otp?: string) =>
  soc.call('POST', '/auth/token', { body: { ...leila, ...(otp ? { otp } : {}) } })

test('with an app, POST /auth/token needs its code as otp', async (t) => {
  const soc = await startTestSoc(t)
  const { app } = await withApp(soc)
  const without = await enter(soc)
  assert.equal(without.status, 401)
  assert.match(without.body.detail, /^otp: a second factor is needed/)
  assert.equal(without.headers['set-cookie'], undefined)
  const entered = await enter(soc, await app.next())
  assert.deepEqual(
    [entered.status, Object.keys(entered.body)],
    [200, ['access_token', 'token_type', 'expires_in']],
  )
  const shown = (await app.next()).replace(/^(...)/, '$1 ')
  assert.equal((await enter(soc, shown)).status, 200, 'as apps show it, with a gap')
  const wrong = await enter(soc, '000000')
  assert.deepEqual(
    [wrong.status, wrong.body],
    [401, { detail: 'wrong username, password or code' }],
  )
})

test('a wrong password with a code says no more than a wrong code', async (t) => {
  const soc = await startTestSoc(t)
  const { app } = await withApp(soc)
  const code = await app.next()
  const body = { ...leila, password: 'not the password', otp: code }
  const wrong = await soc.call('POST', '/auth/token', { body })
  assert.equal(wrong.body.detail, 'wrong username, password or code')
  assert.equal((await enter(soc, code)).status, 200, 'and did not use the code up')
})

test('a code is good once, also for two who send it at the same moment', async (t) => {
  const soc = await startTestSoc(t)
  const { app } = await withApp(soc)
  assert.equal((await enter(soc, app.again())).status, 401, 'the one that enrolled the app')
  const code = await app.next()
  const both = await Promise.all([enter(soc, code), enter(soc, code)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
})

test('six digits cannot be guessed with a stolen password', async (t) => {
  const soc = await startTestSoc(t)
  const { app, codes } = await withApp(soc)
  const [user] = await soc.query<{ id: string }>(`SELECT id FROM users WHERE username = 'leila'`)
  await soc.query(
    `INSERT INTO rate_budgets (key, ends_at, used) VALUES ($1, now() + interval '1 hour', 20)`,
    [`code of ${user?.id}`],
  )
  assert.equal(
    (await enter(soc, await app.next())).status,
    429,
    'after twenty wrong ones in an hour',
  )
  assert.equal((await enter(soc, codes[0])).status, 200, 'a recovery code still gets in')
})

test('recovery codes are shown once, kept as hashes, and good once each', async (t) => {
  const soc = await startTestSoc(t)
  const { codes, as } = await withApp(soc)
  assert.equal(codes.length, 10)
  const stored = await soc.query<{ code_hash: string }>('SELECT code_hash FROM recovery_codes')
  assert.ok(stored.every(({ code_hash }) => /^[0-9a-f]{64}$/.test(code_hash)))
  const [first = '', second = ''] = codes
  const both = await Promise.all([enter(soc, first), enter(soc, first)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  const typed = second.toUpperCase().replaceAll('-', ' ')
  assert.equal((await enter(soc, typed)).status, 200)
  const { body } = await soc.call('GET', '/auth/second-factors', { as })
  assert.equal(body.recovery_codes_left, 8)
  const used = await soc.query(`SELECT FROM audit_log WHERE action = 'auth.use_recovery_code'`)
  assert.equal(used.length, 2)
})

test('new recovery codes void the old ones, and need a proof', async (t) => {
  const soc = await startTestSoc(t)
  const { as, app, codes } = await withApp(soc)
  const renew = () => soc.call('POST', '/auth/second-factors/recovery-codes', { as })
  assert.equal((await renew()).status, 409)
  await prove(soc, as, { password: leila.password, otp: await app.next() })
  const fresh = await renew()
  assert.equal(fresh.body.recovery_codes.length, 10)
  assert.equal((await enter(soc, codes[0])).status, 401)
  assert.equal((await enter(soc, fresh.body.recovery_codes[0])).status, 200)
})

test('the seed is sealed in the database, and no secret is in the audit log', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst', 'leila')
  await prove(soc, as)
  const begun = await soc.call('POST', '/auth/second-factors/totp', { as })
  const { secret, uri, qr_svg } = begun.body
  assert.match(uri, /^otpauth:\/\/totp\/Manara:leila\?/)
  assert.match(qr_svg, /^<svg/)
  const body = { flow: begun.body.flow, code: await createAuthenticatorApp(secret).next() }
  const done = await soc.call('POST', '/auth/second-factors/totp/confirm', { as, body })
  for (const table of ['totp_seeds', 'sign_in_flows', 'audit_log', 'outbox']) {
    const text = JSON.stringify(await soc.query(`SELECT * FROM ${table}`))
    for (const word of [secret, ...done.body.recovery_codes]) assert.ok(!text.includes(word), table)
  }
})

test('a stolen session can neither add nor remove a factor without a proof', async (t) => {
  const soc = await startTestSoc(t)
  const plain = await soc.signInAs('analyst', 'leila')
  const begin = (as: string) => soc.call('POST', '/auth/second-factors/totp', { as })
  assert.equal((await begin(plain)).status, 409)
  await soc.call('DELETE', '/users/leila', { as: await soc.signIn() })

  const { as, app } = await withApp(soc)
  const remove = () => soc.call('DELETE', '/auth/second-factors/totp', { as })
  assert.equal((await remove()).status, 409, 'the proof of the enrolment is used up')
  const half = await prove(soc, as)
  assert.equal(half.status, 400)
  assert.match(half.body.detail, /^otp: is needed too/)
  const guessed = await prove(soc, as, { password: leila.password, otp: '000000' })
  assert.match(guessed.body.detail, /^password: or code is wrong/)
  assert.equal((await remove()).status, 409)

  // A proof is for the session that gave it.
  const other = (await enter(soc, await app.next())).body.access_token
  assert.equal(
    (await prove(soc, as, { password: leila.password, otp: await app.next() })).status,
    200,
  )
  const elsewhere = await soc.call('DELETE', '/auth/second-factors/totp', { as: other })
  assert.equal(elsewhere.status, 409)
  assert.equal((await remove()).status, 200)
  assert.equal((await remove()).status, 409, 'and for one change')
  assert.equal((await enter(soc)).status, 200)
})

test('POST /auth/proof names what is wrong', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst', 'leila')
  for (const [body, detail] of [
    [{}, /^password: is required, unless passkey is given/],
    [{ password: 'x', passkey: { flow: 'x', credential: {} } }, /^password: is required, unless/],
    [{ passkey: 7 }, /^passkey: /],
    [{ password: 'not the password' }, /^password: is wrong$/],
  ] as const) {
    const refused = await prove(soc, as, body)
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, detail)
  }
})

test('adding a factor signs everybody else out of the account', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('analyst', 'leila')
  const thief = await soc.signIn('leila', leila.password)
  await soc.call('DELETE', '/users/leila', { as: await soc.signIn() })
  assert.equal((await soc.call('GET', '/users/me', { as: thief })).status, 401)
  const before = await soc.signInAs('analyst', 'leila')
  const stolen = await soc.signIn('leila', leila.password)
  await prove(soc, before)
  const begun = await soc.call('POST', '/auth/second-factors/totp', { as: before })
  const code = await createAuthenticatorApp(begun.body.secret).next()
  const body = { flow: begun.body.flow, code }
  const stolenTry = await soc.call('POST', '/auth/second-factors/totp/confirm', {
    as: stolen,
    body,
  })
  assert.match(stolenTry.body.detail, /^flow: is unknown or over/)
  await soc.call('POST', '/auth/second-factors/totp/confirm', { as: before, body })
  assert.equal((await soc.call('GET', '/users/me', { as: stolen })).status, 401)
  assert.equal((await soc.call('GET', '/users/me', { as: before })).status, 200)
})

test('who must enrol gets a session that can do nothing else, and then a whole one', async (t) => {
  const soc = await startTestSoc(t)
  const full = await soc.signInAs('analyst', 'leila')
  const admin = await soc.signIn()
  const put = () =>
    soc.call('PUT', '/auth/policy', { as: admin, body: { second_factor_roles: ['analyst'] } })
  assert.equal((await put()).status, 409, 'the policy needs a proof')
  await prove(soc, admin, { password: ADMIN_PASSWORD })
  assert.deepEqual((await put()).body, { second_factor_roles: ['analyst'] })
  assert.equal((await soc.call('GET', '/users/me', { as: full })).status, 401, 'signed out')

  const entered = await enter(soc)
  assert.deepEqual(
    [entered.status, entered.body.must_enrol, entered.body.expires_in],
    [200, true, 900],
  )
  const as = entered.body.access_token
  for (const [method, path] of [
    ['GET', '/alerts'],
    ['GET', '/cases'],
    ['POST', '/auth/proof'],
    ['POST', '/users/me/password'],
    ['GET', '/auth/policy'],
  ] as const) {
    const refused = await soc.call(method, path, { as, body: method === 'POST' ? {} : undefined })
    assert.equal(refused.status, 403, path)
    assert.match(refused.body.detail, /^second factor: your role needs one/)
  }
  const begun = await soc.call('POST', '/auth/second-factors/totp', { as })
  const app = createAuthenticatorApp(begun.body.secret)
  const body = { flow: begun.body.flow, code: await app.next() }
  const done = await soc.call('POST', '/auth/second-factors/totp/confirm', { as, body })
  assert.equal(done.body.recovery_codes.length, 10)
  const session = done.body.session.access_token
  assert.equal((await soc.call('GET', '/alerts', { as: session })).status, 200)
  assert.match(String(done.headers['set-cookie']), new RegExp(`^soc_session=${session}`))
  assert.equal((await soc.call('GET', '/users/me', { as })).status, 401, 'the half one is over')

  await prove(soc, session, { password: leila.password, otp: await app.next() })
  const remove = await soc.call('DELETE', '/auth/second-factors/totp', { as: session })
  assert.deepEqual(
    [remove.status, remove.body.detail],
    [409, 'your role needs a second factor: add another one first'],
  )
})

test('a half session of a stolen password cannot enrol beside the factor of its owner', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('analyst', 'leila')
  const admin = await soc.signIn()
  await prove(soc, admin, { password: ADMIN_PASSWORD })
  await soc.call('PUT', '/auth/policy', { as: admin, body: { second_factor_roles: ['analyst'] } })
  const [owner, thief] = [
    await soc.signIn('leila', leila.password),
    (await enter(soc)).body.access_token,
  ]
  const stolen = await soc.call('POST', '/auth/second-factors/totp', { as: thief })
  const begun = await soc.call('POST', '/auth/second-factors/totp', { as: owner })
  const confirm = async (as: string, { flow, secret }: { flow: string; secret: string }) =>
    soc.call('POST', '/auth/second-factors/totp/confirm', {
      as,
      body: { flow, code: await createAuthenticatorApp(secret).next() },
    })
  assert.equal((await confirm(owner, begun.body)).status, 200)
  assert.equal((await confirm(thief, stolen.body)).status, 401)
})

test('an admin who requires a factor of admins must have one first', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await prove(soc, as, { password: ADMIN_PASSWORD })
  const body = { second_factor_roles: ['admin'] }
  const refused = await soc.call('PUT', '/auth/policy', { as, body })
  assert.equal(refused.status, 409)
  const service = await soc.call('PUT', '/auth/policy', {
    as,
    body: { second_factor_roles: ['service'] },
  })
  assert.equal(service.status, 400)
  assert.match(service.body.detail, /^second_factor_roles/)
})

test('an admin resets the factors of another with a proof, audited, and signs them out', async (t) => {
  const soc = await startTestSoc(t)
  const { as } = await withApp(soc)
  const admin = await soc.signIn()
  const reset = () => soc.call('DELETE', '/users/leila/second-factors', { as: admin })
  assert.equal((await reset()).status, 409)
  await prove(soc, admin, { password: ADMIN_PASSWORD })
  assert.equal((await reset()).status, 200)
  assert.equal((await soc.call('GET', '/users/me', { as })).status, 401)
  assert.equal((await enter(soc)).status, 200)
  const [entry] = await soc.query<{ actor: string; target: string }>(
    `SELECT actor, target FROM audit_log WHERE action = 'user.reset_second_factors'`,
  )
  assert.deepEqual(entry, { actor: 'admin', target: 'user:leila' })
  const { body: leilas } = await soc.call('POST', '/auth/token', { body: leila })
  const as2 = leilas.access_token
  const own = await soc.call('DELETE', '/users/admin/second-factors', { as: as2 })
  assert.equal(own.status, 403, 'not an admin')
})

test('GET /auth/second-factors/users tells admins who has which', async (t) => {
  const soc = await startTestSoc(t)
  const { as: leilas } = await withApp(soc)
  await soc.signInAs('service', 'collector')
  const as = await soc.signIn()
  await prove(soc, as, { password: ADMIN_PASSWORD })
  await soc.call('PUT', '/auth/policy', { as, body: { second_factor_roles: ['analyst'] } })
  const { body } = await soc.call('GET', '/auth/second-factors/users', { as })
  const none = { totp: false, passkeys: 0, recovery_codes_left: 0 }
  const person = { disabled: false, signs_in_at_provider: false }
  assert.deepEqual(body.items, [
    { ...person, ...none, username: 'admin', role: 'admin', is_required: false },
    {
      ...{ ...person, username: 'leila', role: 'analyst', is_required: true },
      ...{ totp: true, passkeys: 0, recovery_codes_left: 10 },
    },
  ])
  const refused = await soc.call('GET', '/auth/second-factors/users', { as: leilas })
  assert.equal(refused.status, 403)
})

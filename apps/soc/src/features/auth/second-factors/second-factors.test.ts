import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuthenticatorApp } from '../../../testing/authenticator-app.ts'
import { ADMIN_PASSWORD, startTestSoc } from '../../../testing/test-soc.ts'

test('second factors', async (t) => {
  const soc = await startTestSoc(t)
  let people = 0

  const prove = (as: string, body: object = { password: ADMIN_PASSWORD }) =>
    soc.call('POST', '/auth/proof', { as, body })

  /** Signed in, under a name that no other test has. */
  async function somebody(role: 'analyst' | 'manager' | 'responder' = 'analyst') {
    people += 1
    const username = `leila-${people}`
    const { password } = await soc.addUser(username, role)
    const as = await soc.signIn(username)
    const enter = (otp?: string) =>
      soc.call('POST', '/auth/token', { body: { username, password, ...(otp ? { otp } : {}) } })
    return { as, username, password, enter }
  }

  /** With an app: the codes that were shown with it, too. */
  async function withApp() {
    const person = await somebody()
    const { as, password } = person
    assert.equal((await prove(as, { password })).status, 200)
    const begun = await soc.call('POST', '/auth/second-factors/totp', { as })
    assert.equal(begun.status, 200)
    const app = createAuthenticatorApp(begun.body.secret)
    const body = { flow: begun.body.flow, code: await app.next() }
    const done = await soc.call('POST', '/auth/second-factors/totp/confirm', { as, body })
    assert.equal(done.status, 200)
    return { ...person, app, codes: done.body.recovery_codes as string[] }
  }

  await t.test('with an app, POST /auth/token needs its code as otp', async () => {
    const { app, enter } = await withApp()
    const without = await enter()
    assert.equal(without.status, 401)
    assert.match(without.body.detail, /^otp: a second factor is needed/)
    assert.equal(without.headers['set-cookie'], undefined)
    const entered = await enter(await app.next())
    assert.deepEqual(
      [entered.status, Object.keys(entered.body)],
      [200, ['access_token', 'token_type', 'expires_in']],
    )
    const shown = (await app.next()).replace(/^(...)/, '$1 ')
    assert.equal((await enter(shown)).status, 200, 'as apps show it, with a gap')
    const wrong = await enter('000000')
    assert.deepEqual(
      [wrong.status, wrong.body],
      [401, { detail: 'wrong username, password or code' }],
    )
  })

  await t.test('a wrong password with a code says no more than a wrong code', async () => {
    const { app, enter, username } = await withApp()
    const code = await app.next()
    const body = { username, password: 'not the password', otp: code }
    const wrong = await soc.call('POST', '/auth/token', { body })
    assert.equal(wrong.body.detail, 'wrong username, password or code')
    assert.equal((await enter(code)).status, 200, 'and did not use the code up')
  })

  await t.test('a code is good once, also for two who send it at the same moment', async () => {
    const { app, enter } = await withApp()
    assert.equal((await enter(app.again())).status, 401, 'the one that enrolled the app')
    const code = await app.next()
    const both = await Promise.all([enter(code), enter(code)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  })

  await t.test('six digits cannot be guessed with a stolen password', async () => {
    const { app, codes, enter, username } = await withApp()
    await soc.query(
      `INSERT INTO rate_budgets (key, ends_at, used)
       SELECT 'code of ' || id, now() + interval '1 hour', 20 FROM users WHERE username = $1`,
      [username],
    )
    assert.equal((await enter(await app.next())).status, 429, 'after twenty wrong ones in an hour')
    assert.equal((await enter(codes[0])).status, 200, 'a recovery code still gets in')
  })

  await t.test('recovery codes are shown once, kept as hashes, and good once each', async () => {
    const { codes, as, enter, username } = await withApp()
    assert.equal(codes.length, 10)
    const stored = await soc.query<{ code_hash: string }>('SELECT code_hash FROM recovery_codes')
    assert.ok(stored.every(({ code_hash }) => /^[0-9a-f]{64}$/.test(code_hash)))
    const [first = '', second = ''] = codes
    const both = await Promise.all([enter(first), enter(first)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
    const typed = second.toUpperCase().replaceAll('-', ' ')
    assert.equal((await enter(typed)).status, 200)
    const { body } = await soc.call('GET', '/auth/second-factors', { as })
    assert.equal(body.recovery_codes_left, 8)
    const { body: used } = await soc.call(
      'GET',
      `/audit?action=auth.use_recovery_code&actor=${username}`,
      {
        as: await soc.signIn(),
      },
    )
    assert.equal(used.total, 2)
  })

  await t.test('new recovery codes void the old ones, and need a proof', async () => {
    const { as, app, codes, enter, password } = await withApp()
    const renew = () => soc.call('POST', '/auth/second-factors/recovery-codes', { as })
    assert.equal((await renew()).status, 409)
    await prove(as, { password, otp: await app.next() })
    const fresh = await renew()
    assert.equal(fresh.body.recovery_codes.length, 10)
    assert.equal((await enter(codes[0])).status, 401)
    assert.equal((await enter(fresh.body.recovery_codes[0])).status, 200)
  })

  await t.test(
    'the seed is sealed in the database, and no secret is in the audit log',
    async () => {
      const { as, username, password } = await somebody()
      await prove(as, { password })
      const begun = await soc.call('POST', '/auth/second-factors/totp', { as })
      const { secret, uri, qr_svg } = begun.body
      assert.ok(uri.startsWith(`otpauth://totp/Manara:${username}?`), uri)
      assert.match(qr_svg, /^<svg/)
      const body = { flow: begun.body.flow, code: await createAuthenticatorApp(secret).next() }
      const done = await soc.call('POST', '/auth/second-factors/totp/confirm', { as, body })
      for (const table of ['totp_seeds', 'sign_in_flows', 'audit_log', 'outbox']) {
        const text = JSON.stringify(await soc.query(`SELECT * FROM ${table}`))
        for (const word of [secret, ...done.body.recovery_codes])
          assert.ok(!text.includes(word), table)
      }
    },
  )

  await t.test('a stolen session can neither add nor remove a factor without a proof', async () => {
    const plain = await somebody()
    const begun = await soc.call('POST', '/auth/second-factors/totp', { as: plain.as })
    assert.equal(begun.status, 409)

    const { as, app, enter, password } = await withApp()
    const remove = () => soc.call('DELETE', '/auth/second-factors/totp', { as })
    assert.equal((await remove()).status, 409, 'the proof of the enrolment is used up')
    const half = await prove(as, { password })
    assert.equal(half.status, 400)
    assert.match(half.body.detail, /^otp: is needed too/)
    const guessed = await prove(as, { password, otp: '000000' })
    assert.match(guessed.body.detail, /^password: or code is wrong/)
    assert.equal((await remove()).status, 409)

    // A proof is for the session that gave it.
    const other = (await enter(await app.next())).body.access_token
    assert.equal((await prove(as, { password, otp: await app.next() })).status, 200)
    const elsewhere = await soc.call('DELETE', '/auth/second-factors/totp', { as: other })
    assert.equal(elsewhere.status, 409)
    assert.equal((await remove()).status, 200)
    assert.equal((await remove()).status, 409, 'and for one change')
    assert.equal((await enter()).status, 200)
  })

  await t.test('POST /auth/proof names what is wrong', async () => {
    const { as } = await somebody()
    for (const [body, detail] of [
      [{}, /^password: is required, unless passkey is given/],
      [{ password: 'x', passkey: { flow: 'x', credential: {} } }, /^password: is required, unless/],
      [{ passkey: 7 }, /^passkey: /],
      [{ password: 'not the password' }, /^password: is wrong$/],
    ] as const) {
      const refused = await prove(as, body)
      assert.equal(refused.status, 400)
      assert.match(refused.body.detail, detail)
    }
  })

  await t.test('adding a factor signs everybody else out of the account', async () => {
    const { as: before, username, password } = await somebody()
    const stolen = await soc.signIn(username, password)
    await prove(before, { password })
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

  await t.test(
    'who must enrol gets a session that can do nothing else, and then a whole one',
    async () => {
      const { as: full, enter, password } = await somebody('responder')
      const admin = await soc.signIn()
      const put = () =>
        soc.call('PUT', '/auth/policy', { as: admin, body: { second_factor_roles: ['responder'] } })
      assert.equal((await put()).status, 409, 'the policy needs a proof')
      await prove(admin)
      assert.deepEqual((await put()).body, { second_factor_roles: ['responder'] })
      assert.equal((await soc.call('GET', '/users/me', { as: full })).status, 401, 'signed out')

      const entered = await enter()
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
        const refused = await soc.call(method, path, {
          as,
          body: method === 'POST' ? {} : undefined,
        })
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

      await prove(session, { password, otp: await app.next() })
      const remove = await soc.call('DELETE', '/auth/second-factors/totp', { as: session })
      assert.deepEqual(
        [remove.status, remove.body.detail],
        [409, 'your role needs a second factor: add another one first'],
      )
    },
  )

  await t.test(
    'a half session of a stolen password cannot enrol beside the factor of its owner',
    async () => {
      const { enter } = await somebody('manager')
      const admin = await soc.signIn()
      await prove(admin)
      await soc.call('PUT', '/auth/policy', {
        as: admin,
        body: { second_factor_roles: ['manager'] },
      })
      const [owner, thief] = [(await enter()).body.access_token, (await enter()).body.access_token]
      const stolen = await soc.call('POST', '/auth/second-factors/totp', { as: thief })
      const begun = await soc.call('POST', '/auth/second-factors/totp', { as: owner })
      const confirm = async (as: string, { flow, secret }: { flow: string; secret: string }) =>
        soc.call('POST', '/auth/second-factors/totp/confirm', {
          as,
          body: { flow, code: await createAuthenticatorApp(secret).next() },
        })
      assert.equal((await confirm(owner, begun.body)).status, 200)
      assert.equal((await confirm(thief, stolen.body)).status, 401)
    },
  )

  await t.test('an admin who requires a factor of admins must have one first', async () => {
    const as = await soc.signIn()
    await prove(as)
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

  await t.test(
    'an admin resets the factors of another with a proof, audited, and signs them out',
    async () => {
      const { as, enter, username } = await withApp()
      const admin = await soc.signIn()
      const reset = () => soc.call('DELETE', `/users/${username}/second-factors`, { as: admin })
      assert.equal((await reset()).status, 409)
      await prove(admin)
      assert.equal((await reset()).status, 200)
      assert.equal((await soc.call('GET', '/users/me', { as })).status, 401)
      const again = await enter()
      assert.equal(again.status, 200)
      const [entry] = await soc.query<{ actor: string; target: string }>(
        `SELECT actor, target FROM audit_log WHERE action = 'user.reset_second_factors'`,
      )
      assert.deepEqual(entry, { actor: 'admin', target: `user:${username}` })
      const own = await soc.call('DELETE', '/users/admin/second-factors', {
        as: again.body.access_token,
      })
      assert.equal(own.status, 403, 'not an admin')
    },
  )

  await t.test('GET /auth/second-factors/users tells admins who has which', async () => {
    const { as: leilas, username } = await withApp()
    await soc.signInAs('service', 'collector')
    const as = await soc.signIn()
    await prove(as)
    await soc.call('PUT', '/auth/policy', { as, body: { second_factor_roles: ['analyst'] } })
    const { body } = await soc.call('GET', '/auth/second-factors/users', { as })
    const none = { totp: false, passkeys: 0, recovery_codes_left: 0 }
    const person = { disabled: false, signs_in_at_provider: false }
    const shown = body.items.filter((one: { username: string }) =>
      ['admin', 'collector', username].includes(one.username),
    )
    assert.deepEqual(shown, [
      { ...person, ...none, username: 'admin', role: 'admin', is_required: false },
      {
        ...{ ...person, username, role: 'analyst', is_required: true },
        ...{ totp: true, passkeys: 0, recovery_codes_left: 10 },
      },
    ])
    const refused = await soc.call('GET', '/auth/second-factors/users', { as: leilas })
    assert.equal(refused.status, 403)
  })
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CLIENT, type Person, startOidcServer } from '../../../testing/oidc-server.ts'
import { createSoftPasskey } from '../../../testing/soft-passkey.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'

const PUBLIC = 'https://soc.example'
const startWith = (t: TestContext, issuer: string) =>
  startTestSoc(t, {
    publicUrl: PUBLIC,
    oidc: {
      provider: {
        issuer,
        publicUrl: PUBLIC,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        scopes: 'openid profile email',
        groupsClaim: 'groups',
        name: 'Example',
      },
      mapping: {
        roles: [
          { group: 'soc-admins', role: 'admin' },
          { group: 'soc', role: 'analyst' },
        ],
        defaultRole: undefined,
      },
      isSecondFactorTrusted: false,
    },
  })

const cookieIn = (headers: Record<string, unknown>, name: string) =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`))

const sessionIn = (headers: Record<string, unknown>) => cookieIn(headers, '__Host-soc_session')

test('signing in at an identity provider', async (t) => {
  const server = await startOidcServer(t, `${PUBLIC}/api/v1/auth/oidc/callback`)
  const soc = await startWith(t, server.issuer)
  const without = await startTestSoc(t)
  /** Asks the provider for nothing before that has gone away. */
  const late = await startWith(t, server.issuer)
  let people = 0

  /** Signed in at the provider, and known here to no test before. */
  function newcomer() {
    people += 1
    const preferred_username = `leila-${people}`
    const person = {
      ...{ sub: `subject-${people}`, preferred_username, name: 'Leila Haddad' },
      ...{ email: `${preferred_username}@example.org`, email_verified: true },
      groups: ['kitchen', 'soc'],
    } satisfies Person
    server.add(person)
    server.state.signedIn = person.sub
    server.state.amr = ['pwd']
    return person
  }

  /** A browser that begins here and goes to the provider; what it comes back with. */
  async function begin(path = '/auth/oidc/start', as?: string) {
    const left = await soc.call('GET', path, { as })
    assert.equal(left.status, 302, JSON.stringify(left.body))
    const cookie = cookieIn(left.headers, 'soc_oidc') ?? assert.fail('no cookie')
    assert.match(cookie, /; Path=\/api\/v1\/auth\/oidc; HttpOnly; Secure; SameSite=Lax/)
    return {
      cookie: cookie.split(';')[0] ?? '',
      back: await server.visit(String(left.headers.location)),
    }
  }

  const callback = (back: URL, cookie: string | undefined) =>
    soc.call('GET', `/auth/oidc/callback${back.search}`, { headers: cookie ? { cookie } : {} })

  async function signIn(path?: string) {
    const { back, cookie } = await begin(path)
    const reply = await callback(back, cookie)
    const session = sessionIn(reply.headers)?.split(';')[0]?.split('=')[1]
    const [, to] = /url=([^"]*)"/.exec(String(reply.body)) ?? []
    return { reply, session, to }
  }

  await t.test(
    'who signs in at the provider is made a user at their first sign-in, with the role of their group',
    async () => {
      const leila = newcomer()
      const { session, to } = await signIn()
      assert.equal(to, '/')
      const { body } = await soc.call('GET', '/users/me', { as: session })
      assert.deepEqual(
        [body.username, body.role, body.full_name, body.email],
        [leila.preferred_username, 'analyst', 'Leila Haddad', leila.email],
      )
      const again = await signIn()
      const me = await soc.call('GET', '/users/me', { as: again.session })
      assert.equal(me.body.id, body.id, 'the same user at the next one')
      const made = await soc.query(
        `SELECT FROM audit_log WHERE action = 'user.create_by_provider' AND target = $1`,
        [`user:${body.username}`],
      )
      assert.equal(made.length, 1)
    },
  )

  await t.test(
    'the question has PKCE, state and nonce, and the session is a cookie of ours alone',
    async () => {
      newcomer()
      const { reply } = await signIn()
      const url = server.asked.at(-1)
      assert.equal(url?.searchParams.get('code_challenge_method'), 'S256')
      for (const name of ['code_challenge', 'state', 'nonce']) {
        assert.ok((url?.searchParams.get(name) ?? '').length >= 40, name)
      }
      assert.match(sessionIn(reply.headers) ?? '', /; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
      assert.ok(!String(reply.body).includes('eyJ'), 'no token in the page')
    },
  )

  await t.test('an answer to the question of another browser is refused', async () => {
    newcomer()
    const attacker = await begin()
    const victim = await begin()
    for (const cookie of [undefined, victim.cookie, 'soc_oidc=made-up']) {
      const reply = await callback(attacker.back, cookie)
      assert.equal(sessionIn(reply.headers), undefined)
      assert.match(String(reply.body), /url=\/sign-in\/\?problem=(flow_over|provider_refused)"/)
    }
  })

  await t.test('an answer is good once', async () => {
    newcomer()
    const { back, cookie } = await begin()
    assert.ok(sessionIn((await callback(back, cookie)).headers))
    const again = await callback(back, cookie)
    assert.equal(sessionIn(again.headers), undefined)
    assert.match(String(again.body), /problem=flow_over/)
  })

  await t.test('an answer that names another issuer, or none, is refused', async () => {
    newcomer()
    for (const iss of ['https://evil.test', undefined]) {
      const { back, cookie } = await begin()
      if (iss) back.searchParams.set('iss', iss)
      else back.searchParams.delete('iss')
      const reply = await callback(back, cookie)
      assert.equal(sessionIn(reply.headers), undefined, String(iss))
      assert.match(String(reply.body), /problem=provider_refused/)
    }
  })

  await t.test('a local user of the same name or address is not taken over', async () => {
    const leila = newcomer()
    const as = await soc.signIn()
    const username = leila.preferred_username.toUpperCase()
    const local = { username, password: 'a long password', role: 'admin' }
    await soc.call('POST', '/users', { as, body: { ...local, email: leila.email } })
    const { session, to } = await signIn()
    assert.deepEqual([session, to], [undefined, '/sign-in/?problem=name_taken'])
    const [user] = await soc.query('SELECT oidc_subject FROM users WHERE username = $1', [username])
    assert.deepEqual(user, { oidc_subject: null })
  })

  await t.test('an address that was not verified is not believed', async () => {
    const leila = newcomer()
    server.add({ ...leila, email: 'chief@example.org', email_verified: false })
    const { session } = await signIn()
    const { body } = await soc.call('GET', '/users/me', { as: session })
    assert.equal(body.email, null)
  })

  await t.test('who is in no group with a role does not get in', async () => {
    const leila = newcomer()
    server.add({ ...leila, groups: ['kitchen'] })
    assert.equal((await signIn()).to, '/sign-in/?problem=no_role')
    const { preferred_username } = leila
    const made = await soc.query('SELECT FROM users WHERE username = $1', [preferred_username])
    assert.deepEqual(made, [])
  })

  await t.test(
    'another group is another role at the next sign-in, and the old sessions are over',
    async () => {
      const leila = newcomer()
      const first = await signIn()
      server.add({ ...leila, groups: ['soc-admins'] })
      const second = await signIn()
      const me = await soc.call('GET', '/users/me', { as: second.session })
      assert.equal(me.body.role, 'admin')
      assert.equal((await soc.call('GET', '/users/me', { as: first.session })).status, 401)
    },
  )

  await t.test('a disabled user stays disabled, and has no password here', async () => {
    const leila = newcomer()
    await signIn()
    const as = await soc.signIn()
    const username = leila.preferred_username
    await soc.call('PATCH', `/users/${username}`, { as, body: { disabled: true } })
    const { session, to } = await signIn()
    assert.deepEqual([session, to], [undefined, '/sign-in/?problem=disabled'])
    const body = { username, password: 'a long password' }
    assert.equal((await soc.call('POST', '/auth/token', { body })).status, 401)
  })

  await t.test('return_to is a path of this service or 400', async () => {
    newcomer()
    const foreign = ['//evil.test', 'https://evil.test/', '/\\evil.test', 'javascript:alert(1)']
    for (const path of foreign) {
      const reply = await soc.call('GET', `/auth/oidc/start?return_to=${encodeURIComponent(path)}`)
      assert.equal(reply.status, 400, path)
      assert.match(reply.body.detail, /^return_to: must be a path/)
    }
    const path = '/cases?x="><script>'
    const { to, reply } = await signIn(`/auth/oidc/start?return_to=${encodeURIComponent(path)}`)
    assert.equal(to, '/cases?x=&quot;>&lt;script>')
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/)
  })

  await t.test(
    'a role that needs a second factor needs the word of the provider for it',
    async () => {
      newcomer()
      await soc.query(`UPDATE sign_in_policy SET second_factor_roles = '{analyst}'`)
      assert.equal((await signIn()).to, '/sign-in/?problem=second_factor')
      server.state.amr = ['pwd', 'mfa']
      const { session } = await signIn()
      assert.equal((await soc.call('GET', '/alerts', { as: session })).status, 200)
      await soc.query(`UPDATE sign_in_policy SET second_factor_roles = '{}'`)
    },
  )

  await t.test(
    'signing out says where to sign out at the provider, only to who came from there',
    async () => {
      newcomer()
      const { session } = await signIn()
      const { body } = await soc.call('POST', '/auth/logout', { as: session })
      const url = new URL(body.provider_sign_out_url)
      assert.equal(url.origin, server.issuer)
      assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${PUBLIC}/`)
      const local = await soc.call('POST', '/auth/logout', { as: await soc.signIn() })
      assert.deepEqual(local.body, { signed_out: true })
    },
  )

  await t.test(
    'who has no password here proves it at the provider, where they are asked again',
    async () => {
      newcomer()
      const { session = '' } = await signIn()
      const begun = await begin('/auth/oidc/prove?return_to=/%23factors', session)
      const url = server.asked.at(-1)
      assert.deepEqual(
        [url?.searchParams.get('prompt'), url?.searchParams.get('max_age')],
        ['login', '0'],
      )
      const reply = await callback(begun.back, begun.cookie)
      assert.match(String(reply.body), /url=\/#factors"/)
      assert.equal(sessionIn(reply.headers), undefined, 'no new session')
      const enrol = await soc.call('POST', '/auth/second-factors/totp', { as: session })
      assert.equal(enrol.status, 200)

      // Somebody else at the provider proves nothing about this session.
      newcomer()
      const other = await begin('/auth/oidc/prove', session)
      assert.match(String((await callback(other.back, other.cookie)).body), /problem=other_person/)
    },
  )

  await t.test(
    'a passkey does not go round the provider, and still proves who one is',
    async () => {
      const leila = newcomer()
      const { session: as = '' } = await signIn()
      const begun = await begin('/auth/oidc/prove', as)
      await callback(begun.back, begun.cookie)
      const passkey = createSoftPasskey()
      const { body } = await soc.call('POST', '/auth/second-factors/passkeys/options', { as })
      const credential = passkey.create(body.options, PUBLIC)
      const added = { flow: body.flow, credential, name: 'key ring' }
      const enrolled = await soc.call('POST', '/auth/second-factors/passkeys', { as, body: added })
      assert.equal(enrolled.status, 200)

      const answer = async () => {
        const asked = (await soc.call('POST', '/auth/passkeys/options')).body
        return { flow: asked.flow, credential: passkey.get(asked.options, PUBLIC) }
      }
      // Her organisation has let her go: only it can say so.
      server.add({ ...leila, groups: [] })
      const entered = await soc.call('POST', '/auth/passkeys', { body: await answer() })
      assert.deepEqual(
        [entered.status, entered.body, sessionIn(entered.headers)],
        [401, { detail: 'your account is kept at Example: sign in there' }, undefined],
      )
      const proof = await soc.call('POST', '/auth/proof', { as, body: { passkey: await answer() } })
      assert.equal(proof.status, 200)
    },
  )

  await t.test('of two admins who are none any more at the same moment one stays', async () => {
    const leila = newcomer()
    await soc.query(`UPDATE users SET role = 'viewer' WHERE username <> 'admin'`)
    server.add({ ...leila, groups: ['soc-admins'] })
    await signIn()
    server.add(leila)
    let isOver = false
    let again: ReturnType<typeof signIn> | undefined
    await soc.holding(`UPDATE users SET role = 'viewer' WHERE username = 'admin'`, async () => {
      again = signIn()
      void again.finally(() => {
        isOver = true
      })
      await until('it waits for the other', async () => {
        const rows = await soc.query(`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`)
        return isOver || rows.length > 0
      })
    })
    assert.equal((await again)?.to, '/sign-in/?problem=last_admin')
    const admins = await soc.query(`SELECT username FROM users WHERE role = 'admin'`)
    assert.deepEqual(admins, [{ username: leila.preferred_username }])
    await soc.query(`UPDATE users SET role = 'admin' WHERE username = 'admin'`)
  })

  await t.test('GET /auth/oidc tells admins what is set, never the secret', async () => {
    const as = await soc.signIn()
    const { body } = await soc.call('GET', '/auth/oidc', { as })
    assert.deepEqual(body, {
      provider: {
        ...{ name: 'Example', issuer: server.issuer, client_id: CLIENT.id, has_secret: true },
        scopes: ['openid', 'profile', 'email'],
        groups_claim: 'groups',
        redirect_url: `${PUBLIC}/api/v1/auth/oidc/callback`,
        signed_out_url: `${PUBLIC}/`,
        second_factor: 'amr',
      },
      roles: [
        { group: 'soc-admins', role: 'admin' },
        { group: 'soc', role: 'analyst' },
      ],
      default_role: null,
    })
    const manager = await soc.signInAs('manager')
    assert.equal((await soc.call('GET', '/auth/oidc', { as: manager })).status, 403)
  })

  await t.test(
    'POST /auth/oidc/check says what the provider offers, and why it cannot be asked',
    async () => {
      const as = await soc.signIn()
      const { body } = await soc.call('POST', '/auth/oidc/check', { as })
      const failed = body.steps.filter(({ result }: { result: string }) => result === 'failed')
      assert.deepEqual([body.is_ok, failed], [true, []])
      await server.stop()
      const none = await late.call('POST', '/auth/oidc/check', { as: await late.signIn() })
      assert.deepEqual([none.status, none.body.is_ok, none.body.steps.length], [200, false, 1])
      assert.match(none.body.steps[0].detail, /ECONNREFUSED|refused|closed/)
      const reply = await without.call('POST', '/auth/oidc/check', { as: await without.signIn() })
      assert.equal(reply.status, 404)
    },
  )

  await t.test('without a provider there is none, and a provider that is away is 503', async () => {
    assert.equal((await without.call('GET', '/auth/ways')).body.oidc, null)
    assert.equal((await without.call('GET', '/auth/oidc/start')).status, 404)
    assert.deepEqual((await soc.call('GET', '/auth/ways')).body, {
      password: true,
      passkey: true,
      oidc: { name: 'Example', url: '/api/v1/auth/oidc/start' },
    })
    const reply = await late.call('GET', '/auth/oidc/start')
    assert.equal(reply.status, 503)
    assert.match(reply.body.detail, /^the identity provider cannot be reached/)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_PASSWORD, startTestSoc } from '../../testing/test-soc.ts'

const admin = { username: 'admin', password: ADMIN_PASSWORD }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const wrong = 'a wrong password'

// Tests that count sign-ins have addresses of their own, and users where it is counted by account.
test('signing in', async (t) => {
  const soc = await startTestSoc(t, { trustedProxies: ['127.0.0.0/8'] })
  const two = await startTestSoc(t, { connection: soc.connection, trustedProxies: ['10.0.0.0/8'] })
  const stranger = await startTestSoc(t, { keyFile: undefined })
  const as = await soc.signIn()

  const enter = (body: unknown, headers: Record<string, string> = {}) =>
    soc.call('POST', '/auth/token', { body, headers })
  const from = (address: string, body: object, headers: Record<string, string> = {}) =>
    enter(body, { 'x-forwarded-for': address, ...headers })
  const userOf = async (name: string) => {
    const { username, password } = await soc.addUser(name)
    return { username, password }
  }
  /** As if so many had failed in this minute. */
  const failed = (lane: string, used: number) =>
    soc.query(
      `INSERT INTO rate_budgets (key, ends_at, used) VALUES ($1, now() + interval '1 minute', $2)`,
      [`sign-in ${lane}`, used],
    )

  await t.test('POST /auth/token takes JSON and answers a token and a session cookie', async () => {
    const { status, body, headers } = await enter(admin)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in'])
    assert.equal(body.token_type, 'bearer')
    assert.equal(body.expires_in, 3600)
    const [, claims] = body.access_token.split('.')
    const { sub, role, jti, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    assert.deepEqual([sub, role, typeof jti, exp - iat], ['admin', 'admin', 'string', 3600])
    const cookie = String(headers['set-cookie'])
    assert.match(cookie, /^soc_session=\S+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  await t.test('POST /auth/token takes a form', async () => {
    const oauth = { grant_type: 'password', scope: '', client_id: '', client_secret: '' }
    const body = new URLSearchParams({ ...admin, ...oauth }).toString()
    assert.equal((await enter(body, form)).status, 200)
  })

  await t.test('POST /auth/token names the field that is wrong', async () => {
    const cases: [unknown, string][] = [
      [{ username: 'admin' }, 'password: is required'],
      [{ ...admin, username: 7 }, 'username: expected string, received number'],
      [{ ...admin, username: 'a\u0000b' }, 'username: must be valid Unicode without NUL'],
      [{ ...admin, remember: true }, 'remember: is not a known field'],
    ]
    for (const [body, detail] of cases) {
      const reply = await enter(body)
      assert.deepEqual([reply.status, reply.body], [400, { detail }])
    }
  })

  await t.test('wrong password, unknown user and disabled user get the same 401', async () => {
    const disabled = await userOf('disabled')
    await soc.call('PATCH', '/users/disabled', { as, body: { disabled: true } })
    for (const body of [{ ...admin, password: wrong }, { ...admin, username: 'no' }, disabled]) {
      const reply = await from('203.0.113.9', body)
      assert.deepEqual(
        [reply.status, reply.body, reply.headers['set-cookie']],
        [401, { detail: 'wrong username or password' }, undefined],
      )
    }
  })

  await t.test('passwords are kept as argon2id', async () => {
    await soc.call('POST', '/users', {
      as,
      body: { username: 'kept', password: 'a long password', role: 'viewer' },
    })
    const [user] = await soc.query<{ password_hash: string }>(
      `SELECT password_hash FROM users WHERE username = 'kept'`,
    )
    assert.match(user?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  await t.test(
    'the eleventh failure in a minute is 429 with Retry-After, even with the right password',
    async () => {
      const guess = (password: string, username = 'admin') =>
        from('203.0.113.1', { username, password })
      // All at once: guessing in parallel must not buy more guesses.
      const guesses = await Promise.all(Array.from({ length: 25 }, (_, n) => guess(`guess ${n}`)))
      const statuses = guesses.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 401).length, 10)
      assert.equal(statuses.filter((status) => status === 429).length, 15)
      const right = await guess(ADMIN_PASSWORD)
      assert.equal(right.status, 429)
      const retryAfter = Number(right.headers['retry-after'])
      assert.ok(retryAfter > 0 && retryAfter <= 60, `Retry-After ${retryAfter}`)
      assert.match(right.body.detail, /^too many failed sign-ins/)
      // The address is held back as well, whatever name it tries next.
      assert.equal((await guess('another password', 'someone')).status, 429)
    },
  )

  await t.test(
    'ten wrong passwords from one address hold back that address, not the account',
    async () => {
      await failed('address 203.0.113.2', 9)
      assert.equal((await from('203.0.113.2', { ...admin, password: wrong })).status, 401)
      assert.equal((await from('203.0.113.2', admin)).status, 429)
      assert.equal((await from('198.51.100.2', admin)).status, 200)
    },
  )

  await t.test(
    'guesses from many addresses hold back strangers, never a place the account is known from',
    async () => {
      const guessed = await userOf('guessed')
      assert.equal((await from('198.51.100.3', guessed)).status, 200)
      await failed('guessed', 100)
      assert.equal((await from('203.0.113.3', guessed)).status, 429)
      assert.equal((await from('198.51.100.3', guessed)).status, 200)
    },
  )

  await t.test(
    'wrong passwords at a known place slow it down, and the right one still gets in',
    async () => {
      assert.equal((await from('198.51.100.4', admin)).status, 200)
      await failed('admin from address 198.51.100.4', 9)
      for (const status of [401, 429, 429]) {
        const reply = await from('198.51.100.4', { ...admin, password: wrong })
        assert.equal(reply.status, status)
      }
      assert.equal((await from('198.51.100.4', admin)).status, 200)
    },
  )

  await t.test(
    'a browser is known by its cookie, whatever its neighbours at the address do',
    async () => {
      const office = '198.51.100.5'
      const page = { 'sec-fetch-site': 'same-origin' }
      const first = await from(office, admin, page)
      const cookies = [first.headers['set-cookie']].flat().map(String)
      const device = cookies.find((cookie) => cookie.startsWith('soc_device=')) ?? assert.fail()
      assert.match(device, /; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/)
      await failed(`admin from address ${office}`, 1_000_000)
      await failed(`address ${office}`, 10)
      const headers = { ...page, cookie: device.split(';')[0] ?? '' }
      assert.equal((await from(office, admin, headers)).status, 200)
    },
  )

  await t.test(
    'a browser is known by its cookie without https too, and a program has none',
    async () => {
      const cookies = async (headers: Record<string, string>) => {
        const reply = await enter(admin, headers)
        return [reply.headers['set-cookie']].flat().map((cookie) => String(cookie).split('=')[0])
      }
      const host = 'soc.lan:8000'
      const page = { host, origin: `http://${host}` }
      assert.deepEqual(await cookies(page), ['soc_device', 'soc_session'])
      assert.deepEqual(await cookies({ host }), ['soc_session'])
    },
  )

  await t.test('an address typed as a name holds nobody at that address back', async () => {
    const office = '198.51.100.6'
    await failed(`address ${office}`, 9)
    const body = { username: `address ${office}`, password: wrong }
    assert.equal((await from('203.0.113.6', body)).status, 401)
    assert.equal((await from(office, admin)).status, 200)
  })

  await t.test('wrong passwords from before a clock was put back hold nobody back', async () => {
    const key = 'sign-in address 203.0.113.7'
    for (const ahead of ['3 hours', '100 days']) {
      await soc.query(`INSERT INTO rate_budgets VALUES ('${key}', now() + interval '${ahead}', 10)
        ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at, used = excluded.used`)
      assert.equal((await from('203.0.113.7', { ...admin, password: wrong })).status, 401, ahead)
    }
    const [row] = await soc.query<{ used: number; is_soon: boolean }>(`
      SELECT used, ends_at < now() + interval '61 seconds' AS is_soon FROM rate_budgets
      WHERE key = '${key}'`)
    assert.deepEqual(row, { used: 1, is_soon: true })
  })

  await t.test('X-Forwarded-For is believed from SOC_TRUSTED_PROXIES alone', async () => {
    const addressOf = async (service: typeof soc, forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded }
      await service.call('POST', '/auth/token', { body: admin, headers })
      const [entry] = await service.query<{ address: string }>(
        `SELECT address FROM audit_log WHERE action = 'auth.sign_in' ORDER BY id DESC LIMIT 1`,
      )
      return entry?.address
    }
    assert.equal(await addressOf(stranger, '198.51.100.8'), '127.0.0.1')
    assert.equal(await addressOf(two, '198.51.100.8'), '127.0.0.1')
    assert.equal(await addressOf(soc, '198.51.100.8'), '198.51.100.8')
    // What the client itself wrote stands left of what the proxy added.
    assert.equal(await addressOf(soc, '192.0.2.1, 198.51.100.8'), '198.51.100.8')
  })

  await t.test('failed sign-ins are counted by all processes on a database', async () => {
    const body = { ...(await userOf('counted')), password: wrong }
    await failed('address 127.0.0.1', 8)
    for (const service of [soc, two]) {
      assert.equal((await service.call('POST', '/auth/token', { body })).status, 401)
    }
    for (const service of [soc, two]) {
      assert.equal((await service.call('POST', '/auth/token', { body })).status, 429)
    }
  })

  await t.test('POST /auth/logout ends the token itself, in every process', async () => {
    const [ended, other] = [await soc.signIn(), as]
    const statusOf = async (service: typeof soc, token: string) =>
      (await service.call('GET', '/users/me', { as: token })).status
    for (const service of [soc, two]) assert.equal(await statusOf(service, ended), 200)
    const reply = await soc.call('POST', '/auth/logout', { as: ended })
    assert.deepEqual(reply.body, { signed_out: true })
    assert.match(String(reply.headers['set-cookie']), /^soc_session=; .*Expires=Thu, 01 Jan 1970/)
    for (const service of [soc, two]) {
      assert.equal(await statusOf(service, ended), 401)
      assert.equal(await statusOf(service, other), 200)
    }
  })

  await t.test('a token that was altered, unsigned or signed with another key is 401', async () => {
    const [, claims, signature] = as.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const bad = [`${none}.${claims}.`, `${none}.${claims}.${signature}`, as.slice(0, -6), 'x']
    for (const token of [...bad, await stranger.signIn()]) {
      assert.equal((await soc.call('GET', '/users/me', { as: token })).status, 401, token)
    }
  })

  await t.test(
    'the session cookie signs in, and a change with it must come from our own pages',
    async () => {
      const cookie = `soc_session=${as}`
      const host = 'soc.example:8000'
      assert.equal((await soc.call('GET', '/users/me', { headers: { cookie } })).status, 200)

      const body = { username: 'noor', password: 'a long password', role: 'viewer' }
      const create = async (headers: Record<string, string>) =>
        (await soc.call('POST', '/users', { headers: { cookie, host, ...headers }, body })).status
      assert.equal(await create({}), 403, 'neither header')
      assert.equal(await create({ origin: 'https://evil.example' }), 403)
      assert.equal(await create({ origin: 'null' }), 403)
      assert.equal(await create({ 'sec-fetch-site': 'cross-site' }), 403)
      assert.equal(await create({ 'sec-fetch-site': 'same-site' }), 403)
      const mixed = { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }
      assert.equal(await create(mixed), 403)
      assert.deepEqual(await soc.query(`SELECT FROM users WHERE username = 'noor'`), [])

      assert.equal(await create({ origin: `http://${host}` }), 201)
      assert.equal(await create({ 'sec-fetch-site': 'same-origin' }), 409, 'let through: exists')
    },
  )

  await t.test('signing in never goes on with a session that the browser already had', async () => {
    const planted = (await enter(await userOf('planted'))).body.access_token
    const headers = { cookie: `soc_session=${planted}`, 'sec-fetch-site': 'same-origin' }
    const { body, headers: answered } = await enter(admin, headers)
    assert.notEqual(body.access_token, planted)
    assert.ok(String(answered['set-cookie']).includes(`soc_session=${body.access_token};`))
    const me = await soc.call('GET', '/users/me', { as: body.access_token })
    assert.equal(me.body.username, 'admin')
  })

  await t.test('another site cannot sign its visitors in', async () => {
    const body = new URLSearchParams(admin).toString()
    const send = (origin: Record<string, string>) =>
      enter(body, { ...form, host: 'soc.lan:8000', ...origin })
    for (const origin of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://wiki.lan' },
      // Where there is no https, browsers say no more than this.
      { origin: 'http://evil.example' },
      { origin: 'http://soc.lan:9000' },
      { origin: 'null' },
    ]) {
      const { status, headers } = await send(origin as Record<string, string>)
      assert.deepEqual([status, headers['set-cookie']], [403, undefined], JSON.stringify(origin))
    }
    const page = { origin: 'http://soc.lan:8000' }
    for (const origin of [page, { ...page, 'sec-fetch-site': 'same-origin' }, {}]) {
      assert.equal((await send(origin as Record<string, string>)).status, 200)
    }
  })
})

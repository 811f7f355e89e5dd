import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_PASSWORD, startTestSoc } from '../../testing/test-soc.ts'

const admin = { username: 'admin', password: ADMIN_PASSWORD }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('POST /auth/token takes JSON and answers a bearer token and a session cookie', async (t) => {
  const soc = await startTestSoc(t)
  const { status, body, headers } = await soc.call('POST', '/auth/token', { body: admin })
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

test('POST /auth/token takes a form', async (t) => {
  const soc = await startTestSoc(t)
  const body = new URLSearchParams({ ...admin, grant_type: 'password' }).toString()
  assert.equal((await soc.call('POST', '/auth/token', { headers: form, body })).status, 200)
})

test('POST /auth/token names the field that is wrong', async (t) => {
  const soc = await startTestSoc(t)
  const cases: [unknown, string][] = [
    [{ username: 'admin' }, 'password: is required'],
    [{ ...admin, username: 7 }, 'username: expected string, received number'],
    [{ ...admin, username: 'a\u0000b' }, 'username: must be valid Unicode without NUL'],
    [{ ...admin, remember: true }, 'remember: is not a known field'],
  ]
  for (const [body, detail] of cases) {
    const reply = await soc.call('POST', '/auth/token', { body })
    assert.deepEqual([reply.status, reply.body], [400, { detail }])
  }
})

test('wrong password, unknown user and disabled user get the same 401', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('viewer')
  const as = await soc.signIn()
  await soc.call('PATCH', '/users/viewer', { as, body: { disabled: true } })
  const attempts = [
    { username: 'admin', password: 'not the password' },
    { username: 'nobody', password: ADMIN_PASSWORD },
    { username: 'viewer', password: 'viewer password' },
  ]
  for (const body of attempts) {
    const reply = await soc.call('POST', '/auth/token', { body })
    assert.deepEqual(
      [reply.status, reply.body, reply.headers['set-cookie']],
      [401, { detail: 'wrong username or password' }, undefined],
    )
  }
})

test('passwords are kept as argon2id', async (t) => {
  const soc = await startTestSoc(t)
  const [user] = await soc.query<{ password_hash: string }>('SELECT password_hash FROM users')
  assert.match(user?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('the eleventh failure in a minute is 429 with Retry-After, even with the right password', async (t) => {
  const soc = await startTestSoc(t)
  const guess = (password: string, username = 'admin') =>
    soc.call('POST', '/auth/token', { body: { username, password } })
  // All at once: guessing in parallel must not buy more guesses.
  const guesses = await Promise.all(Array.from({ length: 25 }, (_, n) => guess(`guess ${n} wrong`)))
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
})

test('ten wrong passwords from one address hold back that address, not the account', async (t) => {
  const soc = await startTestSoc(t, { trustedProxies: ['127.0.0.1'] })
  const from = (address: string, password: string) =>
    soc.call('POST', '/auth/token', {
      body: { ...admin, password },
      headers: { 'x-forwarded-for': address },
    })
  for (let n = 0; n < 12; n += 1) await from('203.0.113.9', `guess ${n} wrong`)
  assert.equal((await from('203.0.113.9', ADMIN_PASSWORD)).status, 429)
  assert.equal((await from('198.51.100.7', ADMIN_PASSWORD)).status, 200)
})

test('guesses from many addresses hold back strangers, never a place the account is known from', async (t) => {
  const soc = await startTestSoc(t, { trustedProxies: ['127.0.0.1'] })
  const from = (address: string, password: string) =>
    soc.call('POST', '/auth/token', {
      body: { ...admin, password },
      headers: { 'x-forwarded-for': address },
    })
  assert.equal((await from('198.51.100.7', ADMIN_PASSWORD)).status, 200)
  await soc.query(`INSERT INTO rate_budgets (key, ends_at, used)
    VALUES ('sign-in admin', now() + interval '1 minute', 100)`)
  assert.equal((await from('192.0.2.55', ADMIN_PASSWORD)).status, 429)
  assert.equal((await from('198.51.100.7', ADMIN_PASSWORD)).status, 200)
})

test('wrong passwords at a known place slow it down, and the right one still gets in', async (t) => {
  const soc = await startTestSoc(t)
  assert.equal((await soc.call('POST', '/auth/token', { body: admin })).status, 200)
  const wrong = { ...admin, password: 'a wrong password' }
  const statuses = []
  for (let n = 0; n < 12; n += 1) {
    statuses.push((await soc.call('POST', '/auth/token', { body: wrong })).status)
  }
  assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
  assert.equal((await soc.call('POST', '/auth/token', { body: admin })).status, 200)
})

test('a browser is known by its cookie, whatever its neighbours at the address do', async (t) => {
  const soc = await startTestSoc(t)
  const page = { 'sec-fetch-site': 'same-origin' }
  const first = await soc.call('POST', '/auth/token', { body: admin, headers: page })
  const cookies = [first.headers['set-cookie']].flat().map(String)
  const device = cookies.find((cookie) => cookie.startsWith('soc_device=')) ?? assert.fail()
  assert.match(device, /; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/)
  await soc.query(`INSERT INTO rate_budgets (key, ends_at, used) VALUES
    ('sign-in admin from address 127.0.0.1', now() + interval '1 minute', 1000000),
    ('sign-in address 127.0.0.1', now() + interval '1 minute', 10)`)
  const headers = { ...page, cookie: device.split(';')[0] ?? '' }
  assert.equal((await soc.call('POST', '/auth/token', { body: admin, headers })).status, 200)
})

test('a browser is known by its cookie without https too, and a program has none', async (t) => {
  const soc = await startTestSoc(t)
  const cookies = async (headers: Record<string, string>) => {
    const reply = await soc.call('POST', '/auth/token', { body: admin, headers })
    return [reply.headers['set-cookie']].flat().map((cookie) => String(cookie).split('=')[0])
  }
  const host = 'soc.lan:8000'
  assert.deepEqual(await cookies({ host, origin: `http://${host}` }), ['soc_device', 'soc_session'])
  assert.deepEqual(await cookies({ host }), ['soc_session'])
})

test('an address typed as a name holds nobody at that address back', async (t) => {
  const soc = await startTestSoc(t, { trustedProxies: ['127.0.0.1'] })
  const from = (address: string, body: object) =>
    soc.call('POST', '/auth/token', { body, headers: { 'x-forwarded-for': address } })
  const [stranger, office] = ['203.0.113.9', '198.51.100.7']
  for (let n = 0; n < 10; n += 1) {
    const body = { username: `address ${office}`, password: `guess ${n} wrong` }
    assert.equal((await from(stranger, body)).status, 401)
  }
  assert.equal((await from(office, admin)).status, 200)
})

test('wrong passwords from before a clock was put back hold nobody back', async (t) => {
  const soc = await startTestSoc(t)
  const guess = (password: string) =>
    soc.call('POST', '/auth/token', { body: { ...admin, password } })
  for (const ahead of ['3 hours', '100 days']) {
    await soc.query(`INSERT INTO rate_budgets VALUES
      ('sign-in address 127.0.0.1', now() + interval '${ahead}', 10)
      ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at, used = excluded.used`)
    assert.equal((await guess('not the password')).status, 401, ahead)
  }
  const [row] = await soc.query<{ used: number; is_soon: boolean }>(`
    SELECT used, ends_at < now() + interval '61 seconds' AS is_soon FROM rate_budgets
    WHERE key = 'sign-in address 127.0.0.1'`)
  assert.deepEqual(row, { used: 1, is_soon: true })
})

test('X-Forwarded-For is believed from SOC_TRUSTED_PROXIES alone', async (t) => {
  const addressOf = async (trustedProxies: string[], forwarded: string) => {
    const soc = await startTestSoc(t, { trustedProxies })
    await soc.call('POST', '/auth/token', {
      body: admin,
      headers: { 'x-forwarded-for': forwarded },
    })
    const [entry] = await soc.query<{ address: string }>(
      `SELECT address FROM audit_log WHERE action = 'auth.sign_in'`,
    )
    return entry?.address
  }
  assert.equal(await addressOf([], '203.0.113.9'), '127.0.0.1')
  assert.equal(await addressOf(['10.0.0.0/8'], '203.0.113.9'), '127.0.0.1')
  assert.equal(await addressOf(['127.0.0.0/8'], '203.0.113.9'), '203.0.113.9')
  // What the client itself wrote stands left of what the proxy added.
  assert.equal(await addressOf(['127.0.0.1'], '192.0.2.1, 203.0.113.9'), '203.0.113.9')
})

test('failed sign-ins are counted by all processes on a database', async (t) => {
  const one = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: one.connection })
  const body = { username: 'admin', password: 'a wrong password' }
  for (let n = 0; n < 5; n += 1) {
    for (const soc of [one, two]) {
      assert.equal((await soc.call('POST', '/auth/token', { body })).status, 401)
    }
  }
  for (const soc of [one, two]) {
    assert.equal((await soc.call('POST', '/auth/token', { body })).status, 429)
  }
})

test('POST /auth/logout ends the token itself, in every process', async (t) => {
  const one = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: one.connection })
  const [as, other] = [await one.signIn(), await one.signIn()]
  for (const soc of [one, two])
    assert.equal((await soc.call('GET', '/users/me', { as })).status, 200)
  const reply = await one.call('POST', '/auth/logout', { as })
  assert.deepEqual(reply.body, { signed_out: true })
  assert.match(String(reply.headers['set-cookie']), /^soc_session=; .*Expires=Thu, 01 Jan 1970/)
  for (const soc of [one, two]) {
    assert.equal((await soc.call('GET', '/users/me', { as })).status, 401)
    assert.equal((await soc.call('GET', '/users/me', { as: other })).status, 200)
  }
})

test('a token that was altered, unsigned or signed with another key is 401', async (t) => {
  const soc = await startTestSoc(t)
  const stranger = await startTestSoc(t, { keyFile: undefined })
  const token = await soc.signIn()
  const [, claims, signature] = token.split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const bad = [`${none}.${claims}.`, `${none}.${claims}.${signature}`, token.slice(0, -6), 'x']
  for (const as of [...bad, await stranger.signIn()]) {
    assert.equal((await soc.call('GET', '/users/me', { as })).status, 401, as)
  }
})

test('the session cookie signs in, and a change with it must come from our own pages', async (t) => {
  const soc = await startTestSoc(t)
  const cookie = `soc_session=${await soc.signIn()}`
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
  assert.equal(await create({ 'sec-fetch-site': 'same-origin' }), 409, 'let through: exists by now')
})

test('signing in never goes on with a session that the browser already had', async (t) => {
  const soc = await startTestSoc(t)
  const planted = await soc.signInAs('viewer')
  const headers = { cookie: `soc_session=${planted}`, 'sec-fetch-site': 'same-origin' }
  const { body, headers: answered } = await soc.call('POST', '/auth/token', {
    body: admin,
    headers,
  })
  assert.notEqual(body.access_token, planted)
  assert.ok(String(answered['set-cookie']).includes(`soc_session=${body.access_token};`))
  const me = await soc.call('GET', '/users/me', { as: body.access_token })
  assert.equal(me.body.username, 'admin')
})

test('another site cannot sign its visitors in', async (t) => {
  const soc = await startTestSoc(t)
  const body = new URLSearchParams(admin).toString()
  const send = (from: Record<string, string>) =>
    soc.call('POST', '/auth/token', { headers: { ...form, host: 'soc.lan:8000', ...from }, body })
  for (const from of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://wiki.lan' },
    // Where there is no https, browsers say no more than this.
    { origin: 'http://evil.example' },
    { origin: 'http://soc.lan:9000' },
    { origin: 'null' },
  ]) {
    const reply = await send(from)
    const { status, headers } = reply
    assert.deepEqual([status, headers['set-cookie']], [403, undefined], JSON.stringify(from))
  }
  const page = { origin: 'http://soc.lan:8000' }
  for (const from of [page, { ...page, 'sec-fetch-site': 'same-origin' }, {}]) {
    assert.equal((await send(from as Record<string, string>)).status, 200, JSON.stringify(from))
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_PASSWORD, startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const noor = { username: 'noor', password: 'a long password', role: 'analyst', email: 'n@x.org' }

async function isIn(soc: TestSoc, as: string): Promise<boolean> {
  return (await soc.call('GET', '/users/me', { as })).status === 200
}

test('POST /users creates a user who can sign in, and no password comes back', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const created = await soc.call('POST', '/users', { as, body: noor })
  assert.equal(created.status, 201)
  const { id, created_at, updated_at, ...rest } = created.body
  assert.deepEqual(rest, {
    username: 'noor',
    role: 'analyst',
    full_name: null,
    email: 'n@x.org',
    disabled: false,
  })
  const me = await soc.call('GET', '/users/me', { as: await soc.signIn('noor', noor.password) })
  assert.equal(me.body.id, id)
  assert.equal(me.body.role, 'analyst')
  assert.ok(me.body.permissions.includes('cases:write'))
  assert.ok(!me.body.permissions.includes('cases:delete'))
})

test('POST /users names the field that is wrong', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const cases: [object, RegExp][] = [
    [{ username: 'two words' }, /^username: must be 1 to 64 letters/],
    [{ username: 'system' }, /^username: is reserved$/],
    // Its paths would be those of whoever asks.
    [{ username: 'me' }, /^username: is reserved$/],
    [{ password: 'short' }, /^password: must have at least 8 characters$/],
    [{ password: 'Password1' }, /^password: is among the most used of breached passwords/],
    [{ password: 'noor2026!' }, /^password: is a name that others know/],
    [{ role: 'emperor' }, /^role: expected one of "viewer"/],
    [{ email: 'nowhere' }, /^email: must be an email address$/],
    [{ is_admin: true }, /^is_admin: is not a known field$/],
  ]
  for (const [wrong, detail] of cases) {
    const reply = await soc.call('POST', '/users', { as, body: { ...noor, ...wrong } })
    assert.equal(reply.status, 400, JSON.stringify(wrong))
    assert.match(reply.body.detail, detail)
  }
})

test('a name that is taken, in any spelling, is 409', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await soc.call('POST', '/users', { as, body: noor })
  for (const username of ['noor', 'NOOR']) {
    const reply = await soc.call('POST', '/users', { as, body: { ...noor, username } })
    assert.deepEqual([reply.status, reply.body.detail], [409, `user ${username} exists already`])
  }
})

test('GET /users lists by skip, limit, cursor and role, and refuses bad numbers', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  for (const username of ['ada', 'basma', 'zaid']) {
    await soc.call('POST', '/users', { as, body: { ...noor, username } })
  }
  const names = async (query: string) => {
    const { body } = await soc.call('GET', `/users?${query}`, { as })
    return [body.items.map((user: { username: string }) => user.username), body.next_cursor]
  }
  assert.deepEqual(await names('limit=2'), [['ada', 'admin'], 'admin'])
  assert.deepEqual(await names('limit=2&cursor=admin'), [['basma', 'zaid'], null])
  assert.deepEqual(await names('skip=3'), [['zaid'], null])
  assert.deepEqual(await names('role=admin'), [['admin'], null])
  for (const [query, field] of [
    ['limit=abc', 'limit'],
    ['limit=201', 'limit'],
    ['limit=0', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['skip=-1', 'skip'],
    ['skip=1.5', 'skip'],
    ['role=emperor', 'role'],
    ['colour=red', 'colour'],
  ]) {
    const reply = await soc.call('GET', `/users?${query}`, { as })
    assert.equal(reply.status, 400, query)
    assert.ok(reply.body.detail.startsWith(`${field}: `), reply.body.detail)
  }
})

for (const [what, change] of [
  ['disabled', { disabled: true }],
  ['given another role', { role: 'viewer' }],
  ['given another password', { password: 'set by the admin' }],
] as const) {
  test(`a user who is ${what} is out at once, in every process`, async (t) => {
    const one = await startTestSoc(t)
    const two = await startTestSoc(t, { connection: one.connection })
    const token = await one.signInAs('analyst')
    for (const soc of [one, two]) assert.ok(await isIn(soc, token))
    const as = await one.signIn()
    assert.equal((await one.call('PATCH', '/users/analyst', { as, body: change })).status, 200)
    for (const soc of [one, two]) assert.ok(!(await isIn(soc, token)))
  })
}

test('a change made past the service, in SQL, is noticed as well', async (t) => {
  const soc = await startTestSoc(t)
  const token = await soc.signInAs('analyst')
  assert.ok(await isIn(soc, token))
  await soc.query(`UPDATE users SET disabled = true WHERE username = 'analyst'`)
  // Any change that waits for the word to go round also waits for this one.
  await soc.call('POST', '/users', { as: await soc.signIn(), body: noor })
  assert.ok(!(await isIn(soc, token)))
})

test('a process that cannot hear of changes asks the database each time', async (t) => {
  const one = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: one.connection })
  const token = await one.signInAs('analyst')
  assert.ok(await isIn(two, token))
  // Both go deaf before the change is made, so nobody is told.
  await one.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'soc listener' AND datname = current_database()`)
  await one.query(`UPDATE users SET disabled = true WHERE username = 'analyst'`)
  for (const soc of [one, two]) await until('out', async () => !(await isIn(soc, token)))
  // What they remembered before must not count again once they hear.
  await until('both hear again', async () => (await listeners(one)) === 2)
  await one.call('POST', '/users', { as: await one.signIn(), body: noor })
  for (const soc of [one, two]) assert.ok(!(await isIn(soc, token)))
})

async function listeners(soc: TestSoc): Promise<number> {
  const rows = await soc.query(`SELECT FROM pg_stat_activity
    WHERE application_name = 'soc listener' AND datname = current_database()`)
  return rows.length
}

test('a new name keeps the session', async (t) => {
  const soc = await startTestSoc(t)
  const token = await soc.signInAs('analyst')
  const body = { full_name: 'Leila Haddad' }
  const as = await soc.signIn()
  assert.equal(
    (await soc.call('PATCH', '/users/analyst', { as, body })).body.full_name,
    'Leila Haddad',
  )
  assert.ok(await isIn(soc, token))
})

test('a token of a removed user is not one for a new user of the same name', async (t) => {
  const soc = await startTestSoc(t)
  const token = await soc.signInAs('analyst')
  const as = await soc.signIn()
  const gone = await soc.call('DELETE', '/users/analyst', { as })
  assert.deepEqual([gone.status, gone.body], [200, { deleted: true, id: 'analyst' }])
  await soc.signInAs('analyst')
  assert.ok(!(await isIn(soc, token)))
  assert.equal((await soc.call('DELETE', '/users/nobody', { as })).status, 404)
})

test('POST /users/me/password signs out elsewhere and stays signed in here', async (t) => {
  const soc = await startTestSoc(t)
  const here = await soc.signInAs('analyst')
  const elsewhere = await soc.signIn('analyst', 'analyst password')
  const change = (current_password: string) =>
    soc.call('POST', '/users/me/password', {
      as: here,
      body: { current_password, new_password: 'a better password' },
    })
  const wrong = await change('not my password')
  assert.deepEqual([wrong.status, wrong.body], [400, { detail: 'current_password: is wrong' }])
  assert.ok(await isIn(soc, elsewhere))

  assert.equal((await change('analyst password')).status, 200)
  assert.deepEqual([await isIn(soc, here), await isIn(soc, elsewhere)], [true, false])
  assert.equal(await soc.signIn('analyst', 'analyst password'), undefined)
  assert.ok(await isIn(soc, await soc.signIn('analyst', 'a better password')))
})

test('a session that is ended while it changes its password is not kept by that', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst')
  const body = { current_password: 'analyst password', new_password: 'a better password' }
  let changed: ReturnType<TestSoc['call']> | undefined
  // As an admin does it who throws a thief out, not yet committed.
  const signOut = `UPDATE users SET session_stamp = gen_random_uuid() WHERE username = 'analyst'`
  await soc.holding(signOut, async () => {
    changed = soc.call('POST', '/users/me/password', { as, body })
    await until('it waits for the user', async () => {
      const rows = await soc.query(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      return rows.length > 0
    })
  })
  assert.equal((await changed)?.status, 401)
  assert.ok(!(await isIn(soc, as)))
  assert.equal(await soc.signIn('analyst', 'a better password'), undefined)
})

test('current_password cannot be guessed with a session', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst')
  const change = (current_password: string, new_password = 'a better password') =>
    soc.call('POST', '/users/me/password', { as, body: { current_password, new_password } })
  const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => change(`guess ${n}`)))
  const statuses = guesses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(10).fill(400), ...Array(5).fill(429)])
  const right = await change('analyst password')
  assert.deepEqual([right.status, Number(right.headers['retry-after']) > 0], [429, true])
  // Signing in is counted elsewhere, and so are others.
  assert.ok(await isIn(soc, await soc.signIn('analyst', 'analyst password')))
  const other = await soc.signInAs('viewer')
  const body = { current_password: 'viewer password', new_password: 'iloveyou1' }
  const weak = await soc.call('POST', '/users/me/password', { as: other, body })
  assert.equal(weak.status, 400)
  assert.match(weak.body.detail, /^new_password: is among the most used/)
})

test('the last admin can be neither removed, demoted nor disabled', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const patch = (body: object) => soc.call('PATCH', '/users/admin', { as, body })
  const refused = [
    await patch({ role: 'viewer' }),
    await patch({ disabled: true }),
    await soc.call('DELETE', '/users/admin', { as }),
  ]
  for (const reply of refused) assert.equal(reply.status, 409)

  // Two admins who remove each other at the same moment: one of them stays.
  const other = await soc.signInAs('admin', 'second')
  const both = await Promise.all([
    soc.call('DELETE', '/users/second', { as }),
    soc.call('DELETE', '/users/admin', { as: other }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
})

test('the first admin takes SOC_ADMIN_PASSWORD or a generated password, told once', async (t) => {
  const soc = await startTestSoc(t)
  assert.ok(await isIn(soc, await soc.signIn('admin', ADMIN_PASSWORD)))
  const told: string[] = []
  const fresh = await startTestSoc(t, { adminPassword: undefined, tell: (word) => told.push(word) })
  assert.equal(told.length, 1)
  assert.ok(await isIn(fresh, await fresh.signIn('admin', told[0])))
  const again: string[] = []
  const { connection } = fresh
  await startTestSoc(t, { connection, adminPassword: undefined, tell: (word) => again.push(word) })
  assert.deepEqual(again, [])
})

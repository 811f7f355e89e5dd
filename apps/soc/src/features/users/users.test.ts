import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const noor = { username: 'noor', password: 'a long password', role: 'analyst', email: 'n@x.org' }

async function isIn(soc: TestSoc, as: string): Promise<boolean> {
  return (await soc.call('GET', '/users/me', { as })).status === 200
}

async function listeners(soc: TestSoc): Promise<number> {
  const rows = await soc.query(`SELECT FROM pg_stat_activity
    WHERE application_name = 'soc listener' AND datname = current_database()`)
  return rows.length
}

test('users', async (t) => {
  const soc = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: soc.connection })
  const as = await soc.signIn()
  let people = 0
  /** Signed in, under a name that no other test has. */
  async function somebody() {
    people += 1
    const name = `sara-${people}`
    const { id, password } = await soc.addUser(name, 'analyst')
    return { id, name, password, token: await soc.signIn(name) }
  }

  await t.test(
    'GET /users lists by skip, limit, cursor and role, and refuses bad numbers',
    async () => {
      for (const username of ['ada', 'basma', 'zaid']) await soc.addUser(username)
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
    },
  )

  await t.test(
    'POST /users creates a user who can sign in, and no password comes back',
    async () => {
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
    },
  )

  await t.test('POST /users names the field that is wrong', async () => {
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

  await t.test('a name that is taken, in any spelling, is 409', async () => {
    for (const username of ['noor', 'NOOR']) {
      const reply = await soc.call('POST', '/users', { as, body: { ...noor, username } })
      assert.deepEqual([reply.status, reply.body.detail], [409, `user ${username} exists already`])
    }
  })

  await t.test('a user is found, and signs in, by the name in any letter case', async () => {
    const { name, password } = await somebody()
    const Name = name.toUpperCase()
    const me = await soc.call('GET', '/users/me', { as: await soc.signIn(Name, password) })
    assert.equal(me.body.username, name)
    const grant = { name: 'key', scopes: ['alerts:read'] }
    const made = await soc.call('POST', `/users/${Name}/api-keys`, { as, body: grant })
    assert.deepEqual([made.status, made.body.username], [201, name])
    const keys = await soc.call('GET', `/users/${Name}/api-keys`, { as })
    assert.equal(keys.body.items.length, 1)
    const path = `/users/${Name}/api-keys/${made.body.id}`
    assert.equal((await soc.call('DELETE', path, { as })).status, 200)
    const renamed = await soc.call('PATCH', `/users/${Name}`, { as, body: { full_name: 'Sara' } })
    assert.deepEqual([renamed.status, renamed.body.username], [200, name])
    assert.equal((await soc.call('DELETE', '/users/ADMIN', { as })).status, 409, 'the last admin')
    const gone = await soc.call('DELETE', `/users/${Name}`, { as })
    assert.deepEqual([gone.status, gone.body], [200, { deleted: true, id: name }])
  })

  for (const [what, change] of [
    ['disabled', { disabled: true }],
    ['given another role', { role: 'viewer' }],
    ['given another password', { password: 'set by the admin' }],
  ] as const) {
    await t.test(`a user who is ${what} is out at once, in every process`, async () => {
      const { name, token } = await somebody()
      for (const one of [soc, two]) assert.ok(await isIn(one, token))
      assert.equal((await soc.call('PATCH', `/users/${name}`, { as, body: change })).status, 200)
      for (const one of [soc, two]) assert.ok(!(await isIn(one, token)))
    })
  }

  await t.test('a change made past the service, in SQL, is noticed as well', async () => {
    const { name, token } = await somebody()
    assert.ok(await isIn(soc, token))
    await soc.query(`UPDATE users SET disabled = true WHERE username = '${name}'`)
    // Any change that waits for the word to go round also waits for this one.
    await soc.call('PATCH', '/users/noor', { as, body: { full_name: 'Noor' } })
    assert.ok(!(await isIn(soc, token)))
  })

  await t.test('a process that cannot hear of changes asks the database each time', async () => {
    const { name, token } = await somebody()
    assert.ok(await isIn(two, token))
    // Both go deaf before the change is made, so nobody is told.
    await soc.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'soc listener' AND datname = current_database()`)
    await soc.query(`UPDATE users SET disabled = true WHERE username = '${name}'`)
    for (const one of [soc, two]) await until('out', async () => !(await isIn(one, token)))
    // What they remembered before must not count again once they hear.
    await until('both hear again', async () => (await listeners(soc)) === 2)
    await soc.call('PATCH', '/users/noor', { as, body: { full_name: 'Noor again' } })
    for (const one of [soc, two]) assert.ok(!(await isIn(one, token)))
  })

  await t.test('a new name keeps the session', async () => {
    const { name, token } = await somebody()
    const body = { full_name: 'Leila Haddad' }
    const renamed = await soc.call('PATCH', `/users/${name}`, { as, body })
    assert.equal(renamed.body.full_name, 'Leila Haddad')
    assert.ok(await isIn(soc, token))
  })

  await t.test('a token of a removed user is not one for a new user of the same name', async () => {
    const { name, token } = await somebody()
    const gone = await soc.call('DELETE', `/users/${name}`, { as })
    assert.deepEqual([gone.status, gone.body], [200, { deleted: true, id: name }])
    await soc.addUser(name, 'analyst')
    assert.ok(!(await isIn(soc, token)))
    assert.equal((await soc.call('DELETE', '/users/nobody', { as })).status, 404)
  })

  await t.test('POST /users/me/password signs out elsewhere and stays signed in here', async () => {
    const { name, password, token: here } = await somebody()
    const elsewhere = await soc.signIn(name, password)
    const change = (current_password: string) =>
      soc.call('POST', '/users/me/password', {
        as: here,
        body: { current_password, new_password: 'a better password' },
      })
    const wrong = await change('not my password')
    assert.deepEqual([wrong.status, wrong.body], [400, { detail: 'current_password: is wrong' }])
    assert.ok(await isIn(soc, elsewhere))

    assert.equal((await change(password)).status, 200)
    assert.deepEqual([await isIn(soc, here), await isIn(soc, elsewhere)], [true, false])
    assert.equal(await soc.signIn(name, password), undefined)
    assert.ok(await isIn(soc, await soc.signIn(name, 'a better password')))
  })

  await t.test(
    'a session that is ended while it changes its password is not kept by that',
    async () => {
      const { name, password, token } = await somebody()
      const body = { current_password: password, new_password: 'a better password' }
      let changed: ReturnType<TestSoc['call']> | undefined
      // As an admin does it who throws a thief out, not yet committed.
      const signOut = `UPDATE users SET session_stamp = gen_random_uuid() WHERE username = '${name}'`
      await soc.holding(signOut, async () => {
        changed = soc.call('POST', '/users/me/password', { as: token, body })
        await until('it waits for the user', async () => {
          const rows = await soc.query(`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`)
          return rows.length > 0
        })
      })
      assert.equal((await changed)?.status, 401)
      // Any change that waits for the word to go round also waits for the one in SQL.
      await soc.call('PATCH', '/users/noor', { as, body: { full_name: 'Noor' } })
      assert.ok(!(await isIn(soc, token)))
      assert.equal(await soc.signIn(name, 'a better password'), undefined)
    },
  )

  await t.test('current_password cannot be guessed with a session', async () => {
    const { id, name, password, token } = await somebody()
    // As if eight had been wrong in this minute.
    await soc.query(`INSERT INTO rate_budgets VALUES ($1, now() + interval '1 minute', 8)`, [
      `own password ${id}`,
    ])
    const change = (current_password: string, new_password = 'a better password') =>
      soc.call('POST', '/users/me/password', {
        as: token,
        body: { current_password, new_password },
      })
    const guesses = await Promise.all(Array.from({ length: 5 }, (_, n) => change(`guess ${n}`)))
    const statuses = guesses.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [400, 400, 429, 429, 429])
    const right = await change(password)
    assert.deepEqual([right.status, Number(right.headers['retry-after']) > 0], [429, true])
    // Signing in is counted elsewhere, and so are others.
    assert.ok(await isIn(soc, await soc.signIn(name, password)))
    const other = await somebody()
    const body = { current_password: other.password, new_password: 'iloveyou1' }
    const weak = await soc.call('POST', '/users/me/password', { as: other.token, body })
    assert.equal(weak.status, 400)
    assert.match(weak.body.detail, /^new_password: is among the most used/)
  })

  await t.test('the last admin can be neither removed, demoted nor disabled', async () => {
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
    const [done, refusal] = both.map(({ status }) => status).sort()
    assert.equal(done, 200)
    // Who comes second is the last one, or is nobody any more.
    assert.ok(refusal === 409 || refusal === 401, `${refusal}`)
    const left = await soc.query("SELECT username FROM users WHERE role = 'admin'")
    assert.equal(left.length, 1)
  })
})

test('the first admin takes a generated password, told once', async (t) => {
  const told: string[] = []
  const fresh = await startTestSoc(t, { adminPassword: undefined, tell: (word) => told.push(word) })
  assert.equal(told.length, 1)
  assert.ok(await isIn(fresh, await fresh.signIn('admin', told[0])))
  const again: string[] = []
  const { connection } = fresh
  await startTestSoc(t, { connection, adminPassword: undefined, tell: (word) => again.push(word) })
  assert.deepEqual(again, [])
})

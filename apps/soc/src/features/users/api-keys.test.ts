import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const withKey = (key: string) => ({ headers: { 'x-api-key': key } })

test('API keys', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  let services = 0
  /** A service account that no other test has. */
  async function service() {
    services += 1
    const username = `collector-${services}`
    const body = { username, password: `${username} password`, role: 'service' }
    await soc.call('POST', '/users', { as, body })
    return username
  }
  const makeKey = (username: string, scopes: string[], more: object = {}) =>
    soc.call('POST', `/users/${username}/api-keys`, {
      as,
      body: { name: 'collector', scopes, ...more },
    })

  await t.test('a token in the place of a key is 401, also one that is in use', async () => {
    assert.equal((await soc.call('GET', '/alerts', { as })).status, 200)
    assert.equal((await soc.call('GET', '/alerts', withKey(as))).status, 401)
  })

  await t.test(
    'GET /api-keys lists those of everybody with their last use, also after a restart',
    async () => {
      const name = await service()
      const { body: used } = await makeKey(name, ['alerts:read'])
      await makeKey('admin', ['alerts:read'])
      for (let call = 0; call < 3; call += 1) await soc.call('GET', '/alerts', withKey(used.key))
      const entries = () =>
        soc.query<{ actor: string }>(
          `SELECT actor FROM audit_log WHERE action = 'api_key.use' AND target = 'api_key:${used.id}'`,
        )
      await until('the first use of the day is noted', async () => (await entries()).length > 0)
      assert.equal((await entries())[0]?.actor, name)

      const again = await startTestSoc(t, { connection: soc.connection })
      for (const one of [soc, again]) {
        const { body } = await one.call('GET', '/api-keys', { as })
        assert.deepEqual(
          body.items.map((key: { username: string; last_used_at: string | null }) => [
            ...[key.username, key.last_used_at?.slice(0, 2) ?? null],
          ]),
          [
            [name, '20'],
            ['admin', null],
          ],
        )
      }
      const viewer = await soc.signInAs('viewer')
      assert.equal((await soc.call('GET', '/api-keys', { as: viewer })).status, 403)
    },
  )

  await t.test('an API key is shown once and kept as a hash', async () => {
    const name = await service()
    const made = await makeKey(name, ['alerts:write', 'alerts:read'])
    assert.equal(made.status, 201)
    assert.match(made.body.key, /^soc_[\w-]{43}$/)
    const { body } = await soc.call('GET', `/users/${name}/api-keys`, { as })
    const { key, ...shown } = made.body
    assert.deepEqual(body.items, [shown])
    const stored = await soc.query('SELECT * FROM api_keys')
    assert.ok(!JSON.stringify(stored).includes(key))
  })

  await t.test('a key does what its scopes say, on the routes that accept keys', async () => {
    const scopes = ['alerts:write', 'alerts:read', 'soar:execute']
    const { body } = await makeKey(await service(), scopes)
    const status = async (method: string, path: string, json?: object) =>
      (await soc.call(method, path, { ...withKey(body.key), body: json })).status
    assert.equal(await status('GET', '/alerts'), 200)
    assert.equal(await status('GET', '/users/me'), 200)
    const alert = { title: 'Disk full', source: 'collector', severity: 'low' }
    assert.equal(await status('POST', '/alerts', alert), 201)
    assert.equal(await status('GET', '/cases'), 403, 'not in its scopes')
    assert.equal(await status('POST', '/cases', { title: 'x', severity: 'low' }), 403)
    assert.equal(await status('POST', '/soar/playbooks/x/execute', {}), 403, 'no keys here')
    assert.equal(await status('POST', '/auth/logout'), 403)
  })

  await t.test('a key writes rules, suppressions and cases where its scopes say so', async () => {
    const name = await service()
    const writer = [
      'detections:read',
      'detections:write',
      'cases:read',
      'cases:write',
      'cases:delete',
    ]
    const { body: right } = await makeKey(name, writer)
    const { body: reader } = await makeKey(name, ['detections:read', 'cases:read'])
    const call = (key: string, method: string, path: string, body?: object) =>
      soc.call(method, path, { ...withKey(key), body })

    const rule = { name: 'Shell', query: 'CommandLine:*nc*' }
    const held = { name: 'Lab', criteria: { host: 'lab-*' }, suppress_for_hours: 1 }
    const made = await call(right.key, 'POST', '/detections/rules', rule)
    assert.equal(made.status, 201)
    assert.equal(made.body.created_by, name)
    const path = `/detections/rules/${made.body.id}`
    assert.equal((await call(right.key, 'PATCH', path, { enabled: false })).status, 200)
    assert.equal((await call(right.key, 'POST', `${path}/suppressions`, held)).status, 201)
    const { status, body: opened } = await call(right.key, 'POST', '/cases', {
      title: 'x',
      severity: 'low',
    })
    assert.equal(status, 201)
    const note = { body: 'seen by the pipeline' }
    assert.equal((await call(right.key, 'POST', `/cases/${opened.id}/comments`, note)).status, 201)
    assert.equal((await call(right.key, 'DELETE', `/cases/${opened.id}`)).status, 403, 'for people')

    const refused: [string, string, object?][] = [
      ['POST', '/detections/rules', rule],
      ['PATCH', path, { enabled: true }],
      ['POST', `${path}/suppressions`, held],
      ['POST', '/cases', { title: 'y', severity: 'low' }],
    ]
    for (const [method, url, body] of refused) {
      const reply = await call(reader.key, method, url, body)
      assert.equal(reply.status, 403, url)
      assert.match(reply.body.detail, /:write/)
    }
    const { body: trail } = await soc.call('GET', '/audit?limit=200', { as })
    const create = trail.items.find(({ action }: { action: string }) => action === 'rule.create')
    assert.deepEqual([create.actor, create.actor_kind], [name, 'api_key'])
  })

  await t.test('a key cannot administer, even that of an admin', async () => {
    const { body } = await makeKey('admin', ['audit:read'])
    assert.equal((await soc.call('GET', '/audit', withKey(body.key))).status, 200)
    assert.equal((await soc.call('GET', '/users', withKey(body.key))).status, 403)
  })

  await t.test('a key never does more than its owner', async () => {
    await soc.signInAs('analyst')
    const refused = await makeKey('analyst', ['alerts:read', 'cases:delete'])
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [400, "scopes: cases:delete is more than the owner's role analyst may do"],
    )
    const { body } = await makeKey('analyst', ['alerts:write'])
    await soc.call('PATCH', '/users/analyst', { as, body: { role: 'viewer' } })
    const alert = { title: 'Disk full', source: 'collector', severity: 'low' }
    assert.equal(
      (await soc.call('POST', '/alerts', { ...withKey(body.key), body: alert })).status,
      403,
    )
  })

  await t.test(
    'a key ends with its deletion, its owner, its time; an unknown one is 401',
    async () => {
      const name = await service()
      const status = async (key: string) => (await soc.call('GET', '/alerts', withKey(key))).status
      const [one, two] = [
        (await makeKey(name, ['alerts:read'])).body,
        (await makeKey(name, ['alerts:read'])).body,
      ]
      const soon = { expires_at: new Date(Date.now() + 3_600_000).toISOString() }
      const expired = (await makeKey(name, ['alerts:read'], soon)).body
      await soc.query(`UPDATE api_keys SET expires_at = now() WHERE id = '${expired.id}'`)
      assert.deepEqual([await status(one.key), await status(two.key)], [200, 200])
      assert.deepEqual([await status(expired.key), await status('soc_unknown')], [401, 401])

      const path = `/users/${name}/api-keys/${one.id}`
      assert.deepEqual((await soc.call('DELETE', path, { as })).body, { deleted: true, id: one.id })
      assert.equal((await soc.call('DELETE', path, { as })).status, 404)
      assert.deepEqual([await status(one.key), await status(two.key)], [401, 200])

      await soc.call('PATCH', `/users/${name}`, { as, body: { disabled: true } })
      assert.equal(await status(two.key), 401)
    },
  )

  await t.test('POST /users/{username}/api-keys names the field that is wrong', async () => {
    const cases: [string[], object, RegExp][] = [
      [[], {}, /^scopes: /],
      [['alerts:fly'], {}, /^scopes\.0: expected one of "alerts:read"/],
      [['alerts:read'], { expires_at: 'tomorrow' }, /^expires_at: /],
      [
        ['alerts:read'],
        { expires_at: '2020-01-01T00:00:00Z' },
        /^expires_at: must be in the future$/,
      ],
      [
        ['alerts:read'],
        { expires_at: new Date().toISOString() },
        /^expires_at: must be in the future$/,
      ],
      [['alerts:read'], { name: '' }, /^name: /],
    ]
    for (const [scopes, more, detail] of cases) {
      const reply = await makeKey('admin', scopes, more)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, detail)
    }
    assert.equal((await makeKey('nobody', ['alerts:read'])).status, 404)
  })
})

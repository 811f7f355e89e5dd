import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'

async function makeKey(soc: TestSoc, username: string, scopes: string[], more: object = {}) {
  const as = await soc.signIn()
  const body = { name: 'collector', scopes, ...more }
  return soc.call('POST', `/users/${username}/api-keys`, { as, body })
}

const withKey = (key: string) => ({ headers: { 'x-api-key': key } })

test('an API key is shown once and kept as a hash', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('service', 'collector')
  const made = await makeKey(soc, 'collector', ['alerts:write', 'alerts:read'])
  assert.equal(made.status, 201)
  assert.match(made.body.key, /^soc_[\w-]{43}$/)
  const as = await soc.signIn()
  const { body } = await soc.call('GET', '/users/collector/api-keys', { as })
  const { key, ...shown } = made.body
  assert.deepEqual(body.items, [shown])
  const [stored] = await soc.query('SELECT * FROM api_keys')
  assert.ok(!JSON.stringify(stored).includes(key))
})

test('a key does what its scopes say, on the routes that accept keys', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('service', 'collector')
  const scopes = ['alerts:write', 'alerts:read', 'cases:write']
  const { body } = await makeKey(soc, 'collector', scopes)
  const status = async (method: string, path: string, json?: object) =>
    (await soc.call(method, path, { ...withKey(body.key), body: json })).status
  assert.equal(await status('GET', '/alerts'), 200)
  assert.equal(await status('GET', '/users/me'), 200)
  const alert = { title: 'Disk full', source: 'collector', severity: 'low' }
  assert.equal(await status('POST', '/alerts', alert), 201)
  assert.equal(await status('GET', '/cases'), 403, 'not in its scopes')
  assert.equal(await status('POST', '/cases', { title: 'x', severity: 'low' }), 403, 'no keys here')
  assert.equal(await status('POST', '/auth/logout'), 403)
})

test('a key cannot administer, even that of an admin', async (t) => {
  const soc = await startTestSoc(t)
  const { body } = await makeKey(soc, 'admin', ['audit:read'])
  assert.equal((await soc.call('GET', '/audit', withKey(body.key))).status, 200)
  assert.equal((await soc.call('GET', '/users', withKey(body.key))).status, 403)
})

test('a key never does more than its owner', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('analyst')
  const refused = await makeKey(soc, 'analyst', ['alerts:read', 'cases:delete'])
  assert.deepEqual(
    [refused.status, refused.body.detail],
    [400, "scopes: cases:delete is more than the owner's role analyst may do"],
  )
  const { body } = await makeKey(soc, 'analyst', ['alerts:write'])
  const as = await soc.signIn()
  await soc.call('PATCH', '/users/analyst', { as, body: { role: 'viewer' } })
  const alert = { title: 'Disk full', source: 'collector', severity: 'low' }
  assert.equal(
    (await soc.call('POST', '/alerts', { ...withKey(body.key), body: alert })).status,
    403,
  )
})

test('a key ends with its deletion, its owner, its time; an unknown one is 401', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signInAs('service', 'collector')
  const as = await soc.signIn()
  const status = async (key: string) => (await soc.call('GET', '/alerts', withKey(key))).status
  const [one, two] = [
    (await makeKey(soc, 'collector', ['alerts:read'])).body,
    (await makeKey(soc, 'collector', ['alerts:read'])).body,
  ]
  const past = { expires_at: '2020-01-01T00:00:00Z' }
  const expired = (await makeKey(soc, 'collector', ['alerts:read'], past)).body
  assert.deepEqual([await status(one.key), await status(two.key)], [200, 200])
  assert.deepEqual([await status(expired.key), await status('soc_unknown')], [401, 401])

  const path = `/users/collector/api-keys/${one.id}`
  assert.deepEqual((await soc.call('DELETE', path, { as })).body, { deleted: true, id: one.id })
  assert.equal((await soc.call('DELETE', path, { as })).status, 404)
  assert.deepEqual([await status(one.key), await status(two.key)], [401, 200])

  await soc.call('PATCH', '/users/collector', { as, body: { disabled: true } })
  assert.equal(await status(two.key), 401)
})

test('POST /users/{username}/api-keys names the field that is wrong', async (t) => {
  const soc = await startTestSoc(t)
  const cases: [string[], object, RegExp][] = [
    [[], {}, /^scopes: /],
    [['alerts:fly'], {}, /^scopes\.0: expected one of "alerts:read"/],
    [['alerts:read'], { expires_at: 'tomorrow' }, /^expires_at: /],
    [['alerts:read'], { name: '' }, /^name: /],
  ]
  for (const [scopes, more, detail] of cases) {
    const reply = await makeKey(soc, 'admin', scopes, more)
    assert.equal(reply.status, 400)
    assert.match(reply.body.detail, detail)
  }
  assert.equal((await makeKey(soc, 'nobody', ['alerts:read'])).status, 404)
})

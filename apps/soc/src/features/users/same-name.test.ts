import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'

const hunt = { title: 'my own', query: 'host:web-1', sharing_mode: 'private' }

/** Removes the user and makes another of the same name and role, who is signed in. */
async function again(soc: TestSoc, role: 'analyst' | 'manager'): Promise<string> {
  const as = await soc.signIn()
  assert.equal((await soc.call('DELETE', `/users/${role}`, { as })).status, 200)
  return soc.signInAs(role)
}

test('a new user under an old name inherits no private hunt', async (t) => {
  const soc = await startTestSoc(t)
  const first = await soc.signInAs('analyst')
  const { body: made } = await soc.call('POST', '/siem/hunts', { as: first, body: hunt })
  assert.equal((await soc.call('GET', `/siem/hunts/${made.id}`, { as: first })).status, 200)

  const second = await again(soc, 'analyst')
  assert.equal((await soc.call('GET', `/siem/hunts/${made.id}`, { as: second })).status, 404)
  const listed = await soc.call('GET', '/siem/hunts', { as: second })
  assert.deepEqual(listed.body.items, [])
})

test('a new user under an old name may not delete or share the hunts of the one before', async (t) => {
  const soc = await startTestSoc(t)
  const first = await soc.signInAs('analyst')
  const body = { ...hunt, sharing_mode: 'team' }
  const { body: made } = await soc.call('POST', '/siem/hunts', { as: first, body })
  const second = await again(soc, 'analyst')
  const share = { as: second, body: { sharing_mode: 'private' } }
  assert.equal((await soc.call('PATCH', `/siem/hunts/${made.id}`, share)).status, 403)
  assert.equal((await soc.call('DELETE', `/siem/hunts/${made.id}`, { as: second })).status, 403)
})

test('records say which user of the name wrote them', async (t) => {
  const soc = await startTestSoc(t)
  const ids = []
  let as = await soc.signInAs('manager')
  for (const title of ['first', 'second']) {
    const { body: me } = await soc.call('GET', '/users/me', { as })
    ids.push(me.id)
    await soc.call('POST', '/cases', { as, body: { title, severity: 'low' } })
    if (title === 'first') as = await again(soc, 'manager')
  }
  const rows = await soc.query<{ created_by: string; created_by_id: string }>(
    'SELECT created_by, created_by_id FROM cases ORDER BY created_at',
  )
  assert.deepEqual(
    rows.map((row) => [row.created_by, row.created_by_id]),
    ids.map((id) => ['manager', id]),
  )
  assert.notEqual(ids[0], ids[1])
})

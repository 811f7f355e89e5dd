import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { emptySchema } from '../../testing/empty-schema.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const hunt = { title: 'my own', query: 'host:web-1', sharing_mode: 'private' }

test('a name that is given again', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  /** Removes the user and makes another of the same name and role, who is signed in. */
  async function again(role: 'analyst' | 'manager'): Promise<string> {
    assert.equal((await soc.call('DELETE', `/users/${role}`, { as })).status, 200)
    return soc.signInAs(role)
  }

  await t.test('a new user under an old name inherits no private hunt', async () => {
    const first = await soc.signInAs('analyst')
    const { body: made } = await soc.call('POST', '/siem/hunts', { as: first, body: hunt })
    assert.equal((await soc.call('GET', `/siem/hunts/${made.id}`, { as: first })).status, 200)

    const second = await again('analyst')
    assert.equal((await soc.call('GET', `/siem/hunts/${made.id}`, { as: second })).status, 404)
    const listed = await soc.call('GET', '/siem/hunts', { as: second })
    assert.deepEqual(listed.body.items, [])
  })

  await t.test(
    'a new user under an old name may not delete or share the hunts of the one before',
    async () => {
      const first = await soc.signInAs('analyst')
      const body = { ...hunt, sharing_mode: 'team' }
      const { body: made } = await soc.call('POST', '/siem/hunts', { as: first, body })
      const second = await again('analyst')
      const share = { as: second, body: { sharing_mode: 'private' } }
      assert.equal((await soc.call('PATCH', `/siem/hunts/${made.id}`, share)).status, 403)
      assert.equal((await soc.call('DELETE', `/siem/hunts/${made.id}`, { as: second })).status, 403)
    },
  )

  await t.test('records say which user of the name wrote them', async () => {
    const ids = []
    let manager = await soc.signInAs('manager')
    for (const title of ['first', 'second']) {
      const { body: me } = await soc.call('GET', '/users/me', { as: manager })
      ids.push(me.id)
      await soc.call('POST', '/cases', { as: manager, body: { title, severity: 'low' } })
      if (title === 'first') manager = await again('manager')
    }
    const rows = await soc.query<{ created_by: string; created_by_id: string }>(
      'SELECT created_by, created_by_id FROM cases ORDER BY created_at',
    )
    assert.deepEqual(
      rows.map((row) => [row.created_by, row.created_by_id]),
      ids.map((id) => ['manager', id]),
    )
    assert.notEqual(ids[0], ids[1])
    const entries = await soc.query<{ actor_id: string }>(
      `SELECT actor_id FROM audit_log WHERE action = 'case.create' ORDER BY id`,
    )
    assert.deepEqual(
      entries.map((entry) => entry.actor_id),
      ids,
    )
    await until('sealed', async () => {
      const { body } = await soc.call('GET', '/audit/verify', { as })
      return body.valid === true && body.unsealed === 0
    })
  })

  await t.test(
    'a new user under an old name does not see what became of requests of the one before',
    async () => {
      const user = { username: 'bot', password: 'bot password', role: 'service' }
      const grant = { name: 'key', scopes: ['investigation:trigger'] }
      const makeBot = async () => {
        await soc.call('POST', '/users', { as, body: user })
        const { body } = await soc.call('POST', '/users/bot/api-keys', { as, body: grant })
        return async (tool: string, input: object) => {
          const headers = { 'x-api-key': body.key }
          const call = { headers, body: { arguments: input } }
          return (await soc.call('POST', `/agents/agent-001/tools/${tool}`, call)).body
        }
      }
      const first = await makeBot()
      const request = { action: 'isolate web-1', justification: 'it beacons' }
      const { approval_id } = await first('request_human_approval', request)
      assert.equal((await first('approval_status', { approval_id })).status, 'pending')
      await soc.call('DELETE', '/users/bot', { as })
      const second = await makeBot()
      assert.equal((await second('approval_status', { approval_id })).error_code, 'NOT_FOUND')
    },
  )
})

test('records from before ids are given to the user of their name if they are not older than that user', async (t) => {
  const { db, migrateTo } = await emptySchema(t)
  await migrateTo((name) => name < '250')
  await sql`INSERT INTO users (username, password_hash, role, created_at)
    VALUES ('leila', '', 'analyst', '2026-03-01')`.execute(db)
  for (const [title, by, day] of [
    ['of the one before', 'leila', '2026-02-01'],
    ['hers', 'leila', '2026-03-02'],
    ['of an agent', 'agent:Hunter', '2026-03-02'],
  ]) {
    await sql`INSERT INTO hunts (id, title, description, query, sharing_mode, shared_with_roles,
        tags, created_by, created_at)
      VALUES (gen_random_uuid(), ${title}, '', 'x', 'private', '{}', '{}', ${by},
        ${day}::timestamptz)`.execute(db)
  }
  await migrateTo(() => true)
  const { rows } = await sql<{ title: string; owner: string | null }>`
    SELECT title, users.username AS owner FROM hunts LEFT JOIN users ON users.id = created_by_id
    ORDER BY title`.execute(db)
  assert.deepEqual(rows, [
    { title: 'hers', owner: 'leila' },
    { title: 'of an agent', owner: null },
    { title: 'of the one before', owner: null },
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

type Entry = Record<string, unknown>

const noor = { username: 'noor', password: 'a long password', role: 'analyst' }

test('the audit log', async (t) => {
  const soc = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: soc.connection })
  const as = await soc.signIn()

  async function entries(query: string): Promise<Entry[]> {
    const reply = await soc.call('GET', `/audit?${query}`, { as })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.items
  }
  const verify = async () => (await soc.call('GET', '/audit/verify', { as })).body
  const allSealed = () =>
    until('all entries sealed', async () => {
      const open = await soc.query('SELECT FROM audit_log WHERE seq IS NULL')
      return open.length === 0
    })
  /** As the owner of the database could, past the triggers. */
  const tamper = (statement: string) =>
    soc.query(`ALTER TABLE audit_log DISABLE TRIGGER USER; ${statement};
      ALTER TABLE audit_log ENABLE TRIGGER USER`)
  /** What is found after it was tampered with; then all is as it was. */
  async function foundAfter(seq: string, statement: string) {
    await allSealed()
    assert.equal((await verify()).valid, true)
    await soc.query(`CREATE TABLE kept AS SELECT * FROM audit_log WHERE seq = (${seq})`)
    await tamper(statement)
    const verdict = await verify()
    await tamper(`DELETE FROM audit_log WHERE id IN (SELECT id FROM kept);
      INSERT INTO audit_log OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept`)
    return verdict
  }

  await t.test(
    'sign-ins, failed ones too, are in the audit log with name and address',
    async () => {
      await soc.signIn('eve', 'some password')
      const [refused] = await entries('outcome=refused')
      assert.equal(refused?.action, 'auth.sign_in')
      assert.equal(refused?.target, 'user:eve')
      assert.equal(refused?.actor, 'anonymous')
      assert.equal(refused?.address, '127.0.0.1')
      const [done] = await entries('action=auth.sign_in&outcome=done&order=asc')
      assert.equal(done?.actor, 'admin')
      assert.ok(!JSON.stringify(await entries('')).includes('some password'))
    },
  )

  await t.test('a record is found by its id, in whatever letters it was asked for', async () => {
    const release = { vendor: 'Acme', product: 'RTU', version: '1', sha256: 'c'.repeat(64) }
    for (const [kind, path, body] of [
      ['ioc', '/iocs', { type: 'domain', value: 'capitals.example' }],
      ['firmware', '/firmware', release],
    ] as const) {
      const { id } = (await soc.call('POST', path, { as, body })).body
      const gone = await soc.call('DELETE', `${path}/${id.toUpperCase()}`, { as })
      assert.deepEqual(gone.body, { deleted: true, id })
      const [latest] = await entries(`target=${kind}:${id}`)
      assert.equal(latest?.action, `${kind}.delete`)
    }
  })

  await t.test('an actor is found in any letter case', async () => {
    const own = await entries('actor=admin&action=auth.sign_in')
    assert.ok(own.length > 0)
    assert.deepEqual(await entries('actor=ADMIN&action=auth.sign_in'), own)
  })

  await t.test('refusals say who wanted what', async () => {
    await soc.call('GET', '/audit')
    await soc.call('GET', '/users', { as: await soc.signInAs('viewer') })
    const [forbidden] = await entries('actor=viewer&outcome=refused')
    assert.equal(forbidden?.action, 'GET /api/v1/users')
    assert.equal(forbidden?.detail, 'requires the admin role')
    const [unknown] = await entries('actor=anonymous&outcome=refused')
    assert.equal(unknown?.action, 'GET /api/v1/audit')
  })

  await t.test(
    'a change says who, what, before, after and from where, and shows no password',
    async () => {
      await soc.call('POST', '/users', { as, body: noor })
      const headers = { 'x-request-id': 'change-1' }
      await soc.call('PATCH', '/users/noor', { as, headers, body: { role: 'manager' } })
      const [entry = assert.fail('no entry')] = await entries('target=user:noor&action=user.update')
      assert.deepEqual([entry.actor, entry.actor_kind, entry.outcome], ['admin', 'user', 'done'])
      assert.equal((entry.before as Entry).role, 'analyst')
      assert.equal((entry.after as Entry).role, 'manager')
      assert.deepEqual([entry.address, entry.request_id], ['127.0.0.1', 'change-1'])
      assert.ok(!/argon2id|a long password/.test(JSON.stringify(await entries(''))))
    },
  )

  await t.test(
    'GET /audit filters by time and words, pages by cursor, and refuses nonsense',
    async () => {
      await soc.signIn('mallory', 'some password')
      assert.equal((await entries('q=MALL')).length, 1)
      assert.equal((await entries('q=%25')).length, 0, 'a percent sign is not a wildcard')
      assert.equal((await entries('to=2020-01-01T00:00:00Z')).length, 0)
      const first = (await soc.call('GET', '/audit?limit=1&order=asc', { as })).body
      const path = `/audit?limit=1&order=asc&cursor=${first.next_cursor}`
      const second = (await soc.call('GET', path, { as })).body
      assert.notEqual(second.items[0].id, first.items[0].id)
      for (const query of ['cursor=x', 'from=yesterday', 'outcome=maybe', 'limit=0']) {
        const reply = await soc.call('GET', `/audit?${query}`, { as })
        assert.equal(reply.status, 400, query)
        assert.ok(reply.body.detail.startsWith(query.split('=')[0] ?? ''), reply.body.detail)
      }
    },
  )

  await t.test('entries can be neither changed nor removed', async () => {
    await allSealed()
    for (const statement of [
      `UPDATE audit_log SET actor = 'nobody'`,
      'UPDATE audit_log SET seq = NULL',
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
    ]) {
      await assert.rejects(soc.query(statement), /append-only/, statement)
    }
  })

  await t.test('the log of two busy processes is one chain without gaps', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 ? soc : two).call('GET', `/audit?skip=${n}`)),
    )
    await allSealed()
    const [{ count }] = (await soc.query('SELECT count(*)::int FROM audit_log')) as [
      { count: number },
    ]
    const verdict = await verify()
    assert.equal(verdict.valid, true)
    assert.ok(count >= 60 && verdict.sealed >= count, `${count} ${verdict.sealed}`)
  })

  for (const [what, statement, reason] of [
    [
      'changed',
      `UPDATE audit_log SET actor = 'somebody' WHERE seq = 2`,
      'its content is not what was sealed',
    ],
    ['removed', 'DELETE FROM audit_log WHERE seq = 2', 'the entry is missing'],
    [
      'rewritten with its hash',
      `UPDATE audit_log SET entry_hash = repeat('a', 64), prev_hash = repeat('b', 64) WHERE seq = 2`,
      'it does not follow the entry before it',
    ],
  ] as const) {
    await t.test(`GET /audit/verify finds an entry that was ${what} and names it`, async () => {
      const verdict = await foundAfter('2', statement)
      assert.equal(verdict.valid, false)
      assert.equal(verdict.broken_at.seq, 2)
      assert.equal(verdict.broken_at.reason, reason)
    })
  }

  await t.test('GET /audit/verify misses entries cut off the end', async () => {
    const last = 'SELECT seq FROM audit_head'
    const { broken_at, valid, sealed } = await foundAfter(
      last,
      `DELETE FROM audit_log WHERE seq = (${last})`,
    )
    assert.deepEqual([valid, broken_at?.seq], [false, sealed])
  })

  await t.test('GET /audit/verify counts what is not sealed yet', async () => {
    await allSealed()
    // Somebody holds the head: writers go on, sealing waits.
    await soc.holding('SELECT FROM audit_head FOR UPDATE', async () => {
      await soc.call('GET', '/audit')
      await soc.call('GET', '/audit')
      const verdict = await verify()
      assert.deepEqual([verdict.valid, verdict.unsealed], [true, 2])
    })
    await allSealed()
    assert.equal((await verify()).unsealed, 0)
  })

  await t.test('GET /audit says how many there are, sealed or not', async () => {
    await allSealed()
    const totals = async () => {
      const listed = (query: string) => soc.call('GET', `/audit?limit=1${query}`, { as })
      // The second has a condition that all of them fulfil, so each is counted.
      const replies = await Promise.all([listed(''), listed('&from=2000-01-01T00:00:00Z')])
      return replies.map(({ body }) => body.total)
    }
    const [sealed] = await totals()
    assert.ok(sealed > 0)
    assert.deepEqual(await totals(), [sealed, sealed])
    await soc.holding('SELECT FROM audit_head FOR UPDATE', async () => {
      await soc.signIn('trudy', 'some password')
      assert.deepEqual(await totals(), [sealed + 1, sealed + 1])
    })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

type Entry = Record<string, unknown>

async function entries(soc: TestSoc, query: string): Promise<Entry[]> {
  const reply = await soc.call('GET', `/audit?${query}`, { as: await soc.signIn() })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.items
}

async function verify(soc: TestSoc, as: string) {
  return (await soc.call('GET', '/audit/verify', { as })).body
}

/** As the owner of the database could, past the triggers. */
async function tamper(soc: TestSoc, statement: string) {
  await soc.query('ALTER TABLE audit_log DISABLE TRIGGER USER')
  await soc.query(statement)
  await soc.query('ALTER TABLE audit_log ENABLE TRIGGER USER')
}

async function allSealed(soc: TestSoc) {
  await until('all entries sealed', async () => {
    const open = await soc.query('SELECT FROM audit_log WHERE seq IS NULL')
    return open.length === 0
  })
}

const noor = { username: 'noor', password: 'a long password', role: 'analyst' }

test('sign-ins, failed ones too, are in the audit log with name and address', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signIn('mallory', 'some password')
  const [refused] = await entries(soc, 'outcome=refused')
  assert.equal(refused?.action, 'auth.sign_in')
  assert.equal(refused?.target, 'user:mallory')
  assert.equal(refused?.actor, 'anonymous')
  assert.equal(refused?.address, '127.0.0.1')
  const [done] = await entries(soc, 'action=auth.sign_in&outcome=done&order=asc')
  assert.equal(done?.actor, 'admin')
  assert.ok(!JSON.stringify(await entries(soc, '')).includes('some password'))
})

test('refusals say who wanted what', async (t) => {
  const soc = await startTestSoc(t)
  await soc.call('GET', '/audit')
  await soc.call('GET', '/users', { as: await soc.signInAs('viewer') })
  const [forbidden] = await entries(soc, 'actor=viewer&outcome=refused')
  assert.equal(forbidden?.action, 'GET /api/v1/users')
  assert.equal(forbidden?.detail, 'requires the admin role')
  const [unknown] = await entries(soc, 'actor=anonymous&outcome=refused')
  assert.equal(unknown?.action, 'GET /api/v1/audit')
})

test('a change says who, what, before, after and from where, and shows no password', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await soc.call('POST', '/users', { as, body: noor })
  const headers = { 'x-request-id': 'change-1' }
  await soc.call('PATCH', '/users/noor', { as, headers, body: { role: 'manager' } })
  const [entry = assert.fail('no entry')] = await entries(
    soc,
    'target=user:noor&action=user.update',
  )
  assert.equal(entry.actor, 'admin')
  assert.equal(entry.outcome, 'done')
  assert.equal((entry.before as Entry).role, 'analyst')
  assert.equal((entry.after as Entry).role, 'manager')
  assert.deepEqual([entry.address, entry.request_id], ['127.0.0.1', 'change-1'])
  assert.ok(!/argon2id|a long password/.test(JSON.stringify(await entries(soc, ''))))
})

test('GET /audit filters by time and words, pages by cursor, and refuses nonsense', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signIn('mallory', 'some password')
  assert.equal((await entries(soc, 'q=MALL')).length, 1)
  assert.equal((await entries(soc, 'q=%25')).length, 0, 'a percent sign is not a wildcard')
  assert.equal((await entries(soc, 'to=2020-01-01T00:00:00Z')).length, 0)
  const as = await soc.signIn()
  const first = (await soc.call('GET', '/audit?limit=1&order=asc', { as })).body
  const path = `/audit?limit=1&order=asc&cursor=${first.next_cursor}`
  const second = (await soc.call('GET', path, { as })).body
  assert.notEqual(second.items[0].id, first.items[0].id)
  for (const query of ['cursor=x', 'from=yesterday', 'outcome=maybe', 'limit=0']) {
    const reply = await soc.call('GET', `/audit?${query}`, { as })
    assert.equal(reply.status, 400, query)
    assert.ok(reply.body.detail.startsWith(query.split('=')[0] ?? ''), reply.body.detail)
  }
})

test('entries can be neither changed nor removed', async (t) => {
  const soc = await startTestSoc(t)
  await soc.signIn()
  await allSealed(soc)
  for (const statement of [
    `UPDATE audit_log SET actor = 'nobody'`,
    'UPDATE audit_log SET seq = NULL',
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
  ]) {
    await assert.rejects(soc.query(statement), /append-only/, statement)
  }
})

test('the log of two busy processes is one chain without gaps', async (t) => {
  const one = await startTestSoc(t)
  const two = await startTestSoc(t, { connection: one.connection })
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 ? one : two).call('GET', `/audit?skip=${n}`)),
  )
  await allSealed(one)
  const [{ count }] = (await one.query('SELECT count(*)::int FROM audit_log')) as [
    { count: number },
  ]
  const verdict = await verify(one, await one.signIn())
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
  test(`GET /audit/verify finds an entry that was ${what} and names it`, async (t) => {
    const soc = await startTestSoc(t)
    const as = await soc.signIn()
    for (let n = 0; n < 4; n += 1) await soc.call('GET', '/audit')
    await allSealed(soc)
    assert.equal((await verify(soc, as)).valid, true)
    await tamper(soc, statement)
    const verdict = await verify(soc, as)
    assert.equal(verdict.valid, false)
    assert.equal(verdict.broken_at.seq, 2)
    assert.equal(verdict.broken_at.reason, reason)
  })
}

test('GET /audit/verify misses entries cut off the end', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  for (let n = 0; n < 3; n += 1) await soc.call('GET', '/audit')
  await allSealed(soc)
  await tamper(soc, 'DELETE FROM audit_log WHERE seq = 4')
  const verdict = await verify(soc, as)
  assert.deepEqual([verdict.valid, verdict.broken_at?.seq], [false, 4])
})

test('GET /audit/verify counts what is not sealed yet', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await allSealed(soc)
  // Somebody holds the head: writers go on, sealing waits.
  await soc.holding('SELECT FROM audit_head FOR UPDATE', async () => {
    await soc.call('GET', '/audit')
    await soc.call('GET', '/audit')
    const verdict = await verify(soc, as)
    assert.deepEqual([verdict.valid, verdict.unsealed], [true, 2])
  })
  await allSealed(soc)
  assert.equal((await verify(soc, as)).unsealed, 0)
})

test('GET /audit says how many there are, sealed or not', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  await allSealed(soc)
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
    await soc.signIn('mallory', 'some password')
    assert.deepEqual(await totals(), [sealed + 1, sealed + 1])
  })
})

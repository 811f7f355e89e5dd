import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { RuntimeMode } from '@manara/soc-contract/system'
import { openDatabase } from '../../db/database.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { modeOf } from '../mode/mode.ts'
import { createOperatorChange } from './operator-change.ts'

const noor = { username: 'noor', password: 'a long password', role: 'analyst' }

/** Users, sign-ins and keys are made in `real`; `mode` is a second process on the same database. */
async function inMode(t: TestContext, mode: RuntimeMode) {
  const real = await startTestSoc(t)
  const as = await real.signIn()
  await real.call('POST', '/users', { as, body: { ...noor, username: 'there' } })
  return { soc: await startTestSoc(t, { mode, connection: real.connection }), as }
}

const CHANGES = [
  ['POST', '/users', noor],
  ['PATCH', '/users/there', { role: 'manager' }],
  ['POST', '/users/there/api-keys', { name: 'k', scopes: ['alerts:read'] }],
  ['DELETE', '/users/there', undefined],
  ['POST', '/alerts', { title: 'New', source: 'test', severity: 'low' }],
  ['POST', '/cases', { title: 'New', severity: 'low' }],
] as const

const TABLES = ['users', 'api_keys', 'alerts', 'cases', 'outbox']

async function contents(soc: { query(text: string): Promise<object[]> }) {
  return Promise.all(TABLES.map((table) => soc.query(`SELECT * FROM ${table} ORDER BY 1`)))
}

test('dummy: a change is 409 that names the mode, stores nothing and is audited', async (t) => {
  const { soc, as } = await inMode(t, 'dummy')
  const before = await contents(soc)
  for (const [method, path, body] of CHANGES) {
    const reply = await soc.call(method, path, { as, body })
    assert.equal(reply.status, 409, path)
    assert.match(reply.body.detail, /dummy mode/)
  }
  assert.deepEqual(await contents(soc), before)
  const { body } = await soc.call('GET', '/audit?outcome=blocked', { as })
  assert.equal(body.total, CHANGES.length)
  assert.deepEqual([body.items[0].actor, body.items[0].target], ['admin', '/api/v1/cases'])
})

test('dummy: reads come from the database while there is one', async (t) => {
  const { soc, as } = await inMode(t, 'dummy')
  assert.deepEqual((await soc.call('GET', '/alerts', { as })).body.items, [])
  assert.equal((await soc.call('GET', '/system/mode', { as })).body.read_data_source, 'database')
})

test('dry_run: a change is 200 with the record and preview, stores and sends nothing', async (t) => {
  const { soc, as } = await inMode(t, 'dry_run')
  const before = await contents(soc)
  for (const [method, path, body] of CHANGES) {
    const reply = await soc.call(method, path, { as, body })
    assert.deepEqual([reply.status, reply.body.preview], [200, true], path)
  }
  const created = await soc.call('POST', '/users', { as, body: noor })
  assert.deepEqual(
    [created.body.username, created.body.role, created.body.password_hash],
    ['noor', 'analyst', undefined],
  )
  assert.deepEqual(await contents(soc), before)
  const { body } = await soc.call('GET', '/audit?outcome=preview&action=user.create', { as })
  assert.equal(body.total, 2)
  assert.equal(body.items[0].after.username, 'noor')
})

test('dry_run: a change that could not be done is refused as it would be', async (t) => {
  const { soc, as } = await inMode(t, 'dry_run')
  const taken = await soc.call('POST', '/users', { as, body: { ...noor, username: 'there' } })
  assert.equal(taken.status, 409)
  assert.equal((await soc.call('DELETE', '/users/nobody', { as })).status, 404)
})

test('real: a change is stored, answered with 201 and audited as done', async (t) => {
  const { soc, as } = await inMode(t, 'real')
  const reply = await soc.call('POST', '/users', { as, body: noor })
  assert.deepEqual([reply.status, reply.body.preview], [201, undefined])
  assert.equal((await soc.query(`SELECT FROM users WHERE username = 'noor'`)).length, 1)
  const { body } = await soc.call('GET', '/audit?action=user.create&outcome=done', { as })
  assert.equal(body.items[0].target, 'user:noor')
})

async function pipeline(t: TestContext, mode: RuntimeMode) {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const { internalWorkflow } = createOperatorChange({
    database,
    mode: modeOf(mode),
    recordAudit: async () => {},
    wake: () => {},
  })
  return { db: database.kysely, internalWorkflow }
}

for (const mode of ['real', 'dry_run'] as const) {
  test(`${mode}: what a pipeline records is stored, with its event and its audit entry`, async (t) => {
    const { db, internalWorkflow } = await pipeline(t, mode)
    await internalWorkflow(async ({ publish, audit }) => {
      await publish('alert.created', { id: 'a1' })
      await audit({ action: 'alert.create', target: 'alert:a1', after: { id: 'a1' } })
    })
    const [event] = await db.selectFrom('outbox').select(['event', 'data']).execute()
    assert.deepEqual(event, { event: 'alert.created', data: { id: 'a1' } })
    const [entry] = await db.selectFrom('audit_log').selectAll().execute()
    assert.deepEqual(
      [entry?.actor, entry?.actor_kind, entry?.outcome, entry?.after, entry?.before],
      ['system', 'system', 'done', { id: 'a1' }, null],
    )
  })
}

test('dummy: a pipeline records nothing', async (t) => {
  const { db, internalWorkflow } = await pipeline(t, 'dummy')
  await assert.rejects(
    internalWorkflow(({ publish }) => publish('alert.created', {})),
    /dummy mode/,
  )
  assert.deepEqual(await db.selectFrom('outbox').selectAll().execute(), [])
})

test('work that fails leaves neither record, event nor audit entry', async (t) => {
  const { db, internalWorkflow } = await pipeline(t, 'real')
  const failing = internalWorkflow(async ({ tx, publish, audit }) => {
    await tx
      .insertInto('users')
      .values({ username: 'half', password_hash: '', role: 'viewer' })
      .execute()
    await publish('alert.created', {})
    await audit({ action: 'a', target: 't' })
    throw new Error('in the middle')
  })
  await assert.rejects(failing, /in the middle/)
  for (const table of ['users', 'outbox', 'audit_log'] as const) {
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
  }
})

test('a change that lost a deadlock is made again, and once', async (t) => {
  const { db, internalWorkflow } = await pipeline(t, 'real')
  const locked = new Set<string>()
  const bothLocked = Promise.withResolvers<void>()
  await db
    .insertInto('users')
    .values(['a', 'b'].map((username) => ({ username, password_hash: '', role: 'viewer' })))
    .execute()
  const touch = (first: string, second: string) =>
    internalWorkflow(async ({ tx, audit }) => {
      const lock = (username: string) =>
        tx.updateTable('users').set({ email: first }).where('username', '=', username).execute()
      await lock(first)
      // Each holds what the other wants: PostgreSQL ends one of the two.
      if (locked.add(first).size === 2) bothLocked.resolve()
      await bothLocked.promise
      await lock(second)
      await audit({ action: 'touch', target: first })
    })
  await Promise.all([touch('a', 'b'), touch('b', 'a')])
  const entries = await db.selectFrom('audit_log').select('target').orderBy('target').execute()
  assert.deepEqual(entries, [{ target: 'a' }, { target: 'b' }])
})

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { RuntimeMode } from '@manara/soc-contract/system'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres.ts'
import { severablePostgres } from '../../testing/severable-postgres.ts'
import { ownerOf, silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

const newAlert = { title: 'Disk full', source: 'test', severity: 'low' }

const databaseIs = (soc: TestSoc, state: 'up' | 'down') =>
  until(`the database is ${state}`, async () => {
    const { status, body } = await soc.call('GET', '/health')
    assert.deepEqual([status, body.status], [200, body.database === 'up' ? 'ok' : 'degraded'])
    if (body.status === 'ok') assert.equal(body.ready, true)
    return body.database === state
  })

async function startSeverable(t: TestContext, mode: RuntimeMode) {
  const line = await severablePostgres(t)
  const soc = await startTestSoc(t, { mode, connection: line.connection })
  return { line, soc, as: await soc.signIn() }
}

for (const mode of ['real', 'dry_run'] as const) {
  test(`${mode}: 503 while the database is away, and all is well when it is back`, async (t) => {
    const { line, soc, as } = await startSeverable(t, mode)
    await line.cut()
    await databaseIs(soc, 'down')
    for (const url of ['/alerts', '/cases', '/users', '/users/me', '/audit', '/system/topology']) {
      const reply = await soc.call('GET', url, { as })
      assert.equal(reply.status, 503, url)
      assert.match(reply.body.detail, /database is unavailable/)
    }
    assert.equal((await soc.call('POST', '/alerts', { as, body: newAlert })).status, 503)
    const truth = (await soc.call('GET', '/system/mode', { as })).body
    assert.deepEqual([truth.read_data_source, truth.uses_showcase_data], ['unavailable', false])
    const body = { username: 'admin', password: 'whatever it is' }
    assert.equal((await soc.call('POST', '/auth/token', { body })).status, 503)

    await line.mend()
    await databaseIs(soc, 'up')
    assert.equal((await soc.call('GET', '/alerts', { as })).status, 200)
    const created = await soc.call('POST', '/alerts', { as, body: newAlert })
    assert.equal(created.status, mode === 'real' ? 201 : 200)
  })
}

test('dummy: the showcase while the database is away, the database when it is back', async (t) => {
  const { line, soc, as } = await startSeverable(t, 'dummy')
  assert.equal((await soc.call('GET', '/alerts', { as })).body.total, 0)
  await line.cut()
  await databaseIs(soc, 'down')
  const shown = (await soc.call('GET', '/alerts?severity=critical', { as })).body
  assert.equal(shown.total, 2)
  const { case_id } = shown.items[0]
  const owner = await soc.call('GET', `/cases/${case_id}`, { as })
  assert.equal(owner.body.title, 'Invoice phishing reached the pumping station')
  assert.equal((await soc.call('GET', '/system/topology', { as })).body.sites.length, 2)
  assert.equal((await soc.call('GET', '/users/me', { as })).body.username, 'admin')
  const truth = (await soc.call('GET', '/system/mode', { as })).body
  assert.deepEqual([truth.read_data_source, truth.uses_showcase_data], ['showcase', true])
  assert.equal((await soc.call('POST', '/alerts', { as, body: newAlert })).status, 409)

  await line.mend()
  await databaseIs(soc, 'up')
  assert.equal((await soc.call('GET', '/alerts', { as })).body.total, 0)
  const { body } = await soc.call('GET', '/audit?outcome=blocked', { as })
  assert.equal(body.total, 1, 'what was blocked meanwhile is in the audit log')
  assert.match(body.items[0].detail, /dummy; at .*, written later/)
})

test('dummy without any database: admin signs in with SOC_ADMIN_PASSWORD, for the showcase only', async (t) => {
  const line = await severablePostgres(t)
  await line.cut()
  const soc = await startTestSoc(t, { mode: 'dummy', connection: line.connection })
  const as = await soc.signIn()
  assert.equal((await soc.call('GET', '/cases', { as })).body.total, 2)
  const wrong = { username: 'admin', password: 'not the password' }
  assert.equal((await soc.call('POST', '/auth/token', { body: wrong })).status, 401)

  await line.mend()
  await databaseIs(soc, 'up')
  assert.equal((await soc.call('GET', '/cases', { as })).status, 401, 'a new sign-in is needed')
  assert.equal((await soc.call('GET', '/cases', { as: await soc.signIn() })).status, 200)
})

test('dummy without a database and without SOC_ADMIN_PASSWORD says what to set', async (t) => {
  const line = await severablePostgres(t)
  await line.cut()
  const told: string[] = []
  const soc = await startTestSoc(t, {
    mode: 'dummy',
    connection: line.connection,
    adminPassword: undefined,
    tell: (word) => told.push(word),
  })
  const body = { username: 'admin', password: 'anything at all' }
  const reply = await soc.call('POST', '/auth/token', { body })
  assert.equal(reply.status, 503)
  assert.match(reply.body.detail, /SOC_ADMIN_PASSWORD/)
  assert.deepEqual(told, [])

  await line.mend()
  await databaseIs(soc, 'up')
  assert.equal(told.length, 1, 'the password is told when the user is made')
  assert.ok(await soc.signIn('admin', told[0]))
})

test('signing out in one browser signs nobody out of another, also when the database goes', async (t) => {
  const { line, soc, as } = await startSeverable(t, 'real')
  const [asked, silent, other] = [as, await soc.signIn(), await soc.signIn()]
  assert.equal((await soc.call('POST', '/auth/logout', { as: other })).status, 200)
  const isIn = async (session: typeof as) =>
    (await soc.call('GET', '/system/mode', { as: session })).status
  assert.equal(await isIn(asked), 200)
  await line.cut()
  await databaseIs(soc, 'down')
  // Of one the database said since that it is good; of the other nobody can know.
  assert.deepEqual([await isIn(asked), await isIn(silent), await isIn(other)], [200, 503, 401])
  await line.mend()
  await databaseIs(soc, 'up')
  assert.deepEqual([await isIn(asked), await isIn(silent), await isIn(other)], [200, 200, 401])
})

test('signing out while the database is away holds when it is back', async (t) => {
  const { line, soc, as } = await startSeverable(t, 'dummy')
  await line.cut()
  await databaseIs(soc, 'down')
  assert.equal((await soc.call('POST', '/auth/logout', { as })).status, 200)
  assert.equal((await soc.call('GET', '/system/mode', { as })).status, 401)
  await line.mend()
  await databaseIs(soc, 'up')
  const other = await startTestSoc(t, { mode: 'dummy', connection: line.direct })
  assert.equal((await other.call('GET', '/system/mode', { as })).status, 401)
})

test('a change that is cut in the middle is 503 and leaves nothing', async (t) => {
  const { line, soc, as } = await startSeverable(t, 'real')
  const watcher = new pg.Client(ownerOf(line.direct))
  await watcher.connect()
  t.after(() => watcher.end())
  // The last step of the change waits for this lock; then the line goes.
  await watcher.query('BEGIN; LOCK TABLE audit_log IN SHARE MODE')
  const changing = soc.call('POST', '/alerts', { as, body: newAlert })
  await until('the change waits', async () => {
    const { rows } = await watcher.query(`SELECT FROM pg_locks WHERE NOT granted`)
    return rows.length > 0
  })
  await line.cut()
  assert.equal((await changing).status, 503)
  await watcher.query('ROLLBACK')
  await line.mend()
  await databaseIs(soc, 'up')
  assert.equal((await soc.call('GET', '/alerts', { as })).body.total, 0)
  assert.equal((await soc.call('POST', '/alerts', { as, body: newAlert })).status, 201)
})

test('a database that stops answering is noticed, and who waits for it gets 503', async (t) => {
  const line = await severablePostgres(t)
  // Longer than a busy machine takes to sign somebody in.
  const soc = await startTestSoc(t, { connection: line.connection, patienceMs: 1_000 })
  const as = await soc.signIn()
  line.darken()
  const waiting = soc.call('POST', '/alerts', { as, body: newAlert })
  await databaseIs(soc, 'down')
  assert.equal((await waiting).status, 503)
  await databaseIs(soc, 'up')
  assert.equal((await soc.call('GET', '/alerts', { as })).status, 200)
})

test('an embedded PostgreSQL that is killed comes back with every acknowledged record', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-kill-'))
  const embedded = await startEmbeddedPostgres(directory, silentLog)
  t.after(async () => {
    await embedded.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const soc = await startTestSoc(t, { connection: embedded.connection })
  const as = await soc.signIn()
  const acknowledged: string[] = []
  const writing = (async () => {
    for (let n = 0; n < 400; n += 1) {
      const body = { ...newAlert, title: `Disk ${n} full` }
      const reply = await soc.call('POST', '/alerts', { as, body })
      assert.ok([201, 503].includes(reply.status), JSON.stringify(reply.body))
      if (reply.status === 201) acknowledged.push(reply.body.id)
      if (reply.status === 503) return
    }
  })()
  await until('some are written', () => acknowledged.length > 20)
  const pidFile = path.join(directory, 'postgres', 'postmaster.pid')
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await writing
  await databaseIs(soc, 'up')
  await until('it answers', async () => (await soc.call('GET', '/alerts', { as })).status === 200)
  for (const id of acknowledged) {
    assert.equal((await soc.call('GET', `/alerts/${id}`, { as })).status, 200, id)
  }
  assert.equal((await soc.call('GET', '/audit/verify', { as })).body.valid, true)
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../db/database.ts'
import { severablePostgres } from '../testing/severable-postgres.ts'
import { silentLog, testDatabase } from '../testing/test-postgres.ts'
import { startTestSoc, type TestSoc } from '../testing/test-soc.ts'
import { until } from '../testing/until.ts'
import { createRateLimits } from './rate-limits.ts'

const only = (general: number) => ({ general, investigate: 10, execute: 5 })

const statusOf = async (soc: TestSoc, as: string) =>
  (await soc.call('GET', '/system/mode', { as })).status

test('requests are counted', async (t) => {
  const settings = { rates: only(100), trustedProxies: ['127.0.0.1'] }
  const soc = await startTestSoc(t, settings)
  const two = await startTestSoc(t, { ...settings, connection: soc.connection })
  /** As if so many had come already; `ahead` is when that minute is over. */
  const spend = (client: string, used: number, ahead = '1 minute') =>
    soc.query(`INSERT INTO rate_budgets VALUES ($1, now() + $2::interval, $3)`, [
      ...[`general ${client}`, ahead, used],
    ])
  /** Without any request yet. */
  async function somebody(name: string) {
    const { id } = await soc.addUser(name)
    return { client: `user ${id}`, as: await soc.signIn(name) }
  }
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    return (await soc.call('GET', '/alerts', { headers })).status
  }

  await t.test(
    'request 101 in a minute is 429 with Retry-After, for that caller alone',
    async () => {
      const [many, few] = [await somebody('many'), await somebody('few')]
      for (let n = 1; n <= 100; n += 1) assert.equal(await statusOf(soc, many.as), 200, `${n}`)
      const refused = await soc.call('GET', '/system/mode', { as: many.as })
      assert.equal(refused.status, 429)
      const retryAfter = Number(refused.headers['retry-after'])
      assert.ok(retryAfter >= 1 && retryAfter <= 60)
      assert.deepEqual(Object.keys(refused.body), ['detail'])
      assert.equal(await statusOf(soc, few.as), 200)
      assert.equal((await soc.call('GET', '/health')).status, 200)
    },
  )

  await t.test('callers without a token are counted by address', async () => {
    await spend('address 203.0.113.1', 97)
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push(await from('203.0.113.1'))
    assert.deepEqual(statuses, [401, 401, 401, 429])
    assert.equal(await statusOf(soc, await soc.signIn()), 200)
  })

  await t.test('addresses of one IPv6 network share a budget', async () => {
    await spend('address 2001:db8:1:2::/64', 97)
    for (const n of [1, 2, 3]) assert.equal(await from(`2001:db8:1:2::${n}`), 401)
    assert.equal(await from('2001:db8:1:2:ffff::1'), 429)
    assert.equal(await from('2001:db8:1:3::1'), 401)
  })

  await t.test('two processes on one database share one budget', async () => {
    const { client, as } = await somebody('both')
    await spend(client, 60)
    let allowed = 0
    for (let n = 0; n < 60; n += 1) {
      if ((await statusOf(n % 2 ? soc : two, as)) === 200) allowed += 1
    }
    // Never more; a process may keep a request or two of its last lease for itself.
    assert.ok(allowed <= 40 && allowed >= 36, `${allowed} were allowed`)
  })

  await t.test('a hundred requests at once are counted exactly', async () => {
    const { client, as } = await somebody('hasty')
    await spend(client, 70)
    const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf(soc, as)))
    assert.equal(statuses.filter((status) => status === 200).length, 30)
  })

  await t.test(
    'a clock that is put back does not make a minute last as long as it was ahead',
    async () => {
      for (const ahead of ['3 hours', '100 days']) {
        const { client, as } = await somebody(ahead.replace(' ', '-'))
        await spend(client, 100, ahead)
        const reply = await soc.call('GET', '/system/mode', { as })
        assert.equal(reply.status, 200, `${ahead}: ${JSON.stringify(reply.body)}`)
      }
    },
  )
})

async function limitsOn(t: TestContext, clock: { ms: number }) {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  let queries = 0
  const counting = database.kysely.withPlugin({
    transformQuery: ({ node }) => {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const limits = createRateLimits({
    rates: { general: 1_000, investigate: 2, execute: 1, mcp: 1, chat: 1, enrol: 1 },
    database: { kysely: counting, isAvailable: database.isAvailable },
    now: () => clock.ms,
  })
  const from = { ip: '192.0.2.1' } as Parameters<ReturnType<typeof limits.limit>>[0]
  const isAllowed = (kind: 'general' | 'investigate' | 'execute') =>
    limits
      .limit(kind)(from)
      .then(
        () => true,
        () => false,
      )
  return { isAllowed, queries: () => queries }
}

test('classes have budgets of their own', async (t) => {
  const { isAllowed } = await limitsOn(t, { ms: 0 })
  assert.deepEqual([await isAllowed('execute'), await isAllowed('execute')], [true, false])
  assert.deepEqual([await isAllowed('investigate'), await isAllowed('general')], [true, true])
})

test('most requests cost no query, and a flood beyond the budget costs none', async (t) => {
  const { isAllowed, queries } = await limitsOn(t, { ms: 0 })
  for (let n = 0; n < 900; n += 1) assert.ok(await isAllowed('general'))
  assert.ok(queries() < 40, `${queries()} queries for 900 requests`)
  for (let n = 0; n < 100; n += 1) assert.ok(await isAllowed('general'))
  assert.equal(await isAllowed('general'), false)
  const spent = queries()
  for (let n = 0; n < 500; n += 1) assert.equal(await isAllowed('general'), false)
  assert.equal(queries(), spent)
})

test('while the database is away each process goes on counting by itself', async (t) => {
  const line = await severablePostgres(t)
  const soc = await startTestSoc(t, {
    mode: 'dummy',
    rates: only(5),
    connection: line.connection,
  })
  const as = await soc.signIn()
  await line.cut()
  await until('away', async () => (await soc.call('GET', '/health')).body.database === 'down')
  const statuses = []
  for (let n = 0; n < 6; n += 1) statuses.push(await statusOf(soc, as))
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
})

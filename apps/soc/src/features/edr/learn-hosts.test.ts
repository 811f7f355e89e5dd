import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StoredLog } from '../../ports/log-store.ts'
import { openChanges } from '../../testing/changes-of.ts'
import { silentLog, testDatabase } from '../../testing/test-postgres.ts'
import { createHostLearner } from './learn-hosts.ts'

const log = (host: string, at: number, fields: StoredLog['fields'] = {}): StoredLog => ({
  id: `${host}-${at}`,
  at,
  source: 'app',
  host,
  severity: 'info',
  message: '',
  user: null,
  process: null,
  event_code: null,
  src_ip: null,
  dst_ip: null,
  fields,
  received_at: at,
  original: null,
})

async function startLearner(t: TestContext) {
  const { database, internalWorkflow } = await openChanges(t, await testDatabase())
  let writes = 0
  const clock = { now: 1_000_000 }
  const learner = createHostLearner({
    log: silentLog,
    now: () => clock.now,
    flushMs: 60_000,
    refreshMs: 60_000,
    internalWorkflow: (...work) => {
      writes += 1
      return internalWorkflow(...work)
    },
  })
  t.after(() => learner.stop())
  const endpoints = () =>
    database.kysely.selectFrom('edr_endpoints').selectAll().orderBy('hostname').execute()
  return { db: database.kysely, learner, clock, endpoints, writes: () => writes }
}

test('hosts in the logs become endpoints, one a name, with what the logs say', async (t) => {
  const { learner, endpoints } = await startLearner(t)
  learner.onStored([
    log('WEB-1', 1_000, { 'host.ip': '192.0.2.1' }),
    log('web-1', 3_000, { 'host.ip': '192.0.2.2', Channel: 'Security' }),
    log('db-1', 2_000),
  ])
  await learner.flush()
  const [db, web] = await endpoints().then((rows) =>
    rows.sort((a, b) => a.ips.length - b.ips.length),
  )
  assert.deepEqual([db?.hostname, db?.status, db?.external_id], ['db-1', 'unknown', null])
  assert.deepEqual([web?.hostname, web?.os_name], ['WEB-1', 'Windows'])
  assert.deepEqual(web?.ips.sort(), ['192.0.2.1', '192.0.2.2'])
  assert.equal(web?.last_seen_at.getTime(), 3_000)
})

test('hosts whose names are one to the database alone keep no other from being learnt', async (t) => {
  const { learner, endpoints } = await startLearner(t)
  const alike = [
    '\u0130stanbul',
    'istanbul',
    '\u039f\u0394\u039f\u03a3',
    '\u03bf\u03b4\u03bf\u03c3',
  ]
  learner.onStored([...alike, 'web-1'].map((host) => log(host, 1_000)))
  await learner.flush()
  const known = (await endpoints()).map(({ hostname }) => hostname)
  assert.ok(known.includes('web-1'))
})

test('a host that talks all the time is written once a minute', async (t) => {
  const { learner, clock, endpoints, writes } = await startLearner(t)
  for (let second = 0; second < 60; second += 1) {
    clock.now = 1_000_000 + second * 1_000
    learner.onStored([log('web-1', clock.now)])
    await learner.flush()
  }
  assert.equal(writes(), 1)
  clock.now += 60_000
  learner.onStored([log('web-1', clock.now, { 'host.ip': '192.0.2.9' })])
  await learner.flush()
  const [web] = await endpoints()
  assert.equal(web?.last_seen_at.getTime(), clock.now)
  assert.deepEqual([writes(), web?.ips], [2, ['192.0.2.9']])
})

test('an endpoint with an agent is seen again, and is not learnt a second time', async (t) => {
  const { db, learner, endpoints } = await startLearner(t)
  const id = '00000000-0000-7000-8000-000000000001'
  const seen = new Date(1_000)
  await db
    .insertInto('edr_endpoints')
    .values({
      id,
      external_id: 'ref-1',
      hostname: 'fin-ws-07',
      ips: ['192.0.2.107'],
      status: 'online',
      first_seen_at: seen,
      last_seen_at: seen,
    })
    .execute()
  learner.onStored([log('FIN-WS-07', 5_000, { 'host.ip': '198.51.100.1' })])
  await learner.flush()
  const [endpoint, ...more] = await endpoints()
  assert.deepEqual(more, [])
  assert.deepEqual([endpoint?.id, endpoint?.ips, endpoint?.status], [id, ['192.0.2.107'], 'online'])
  assert.equal(endpoint?.last_seen_at.getTime(), 5_000)
})

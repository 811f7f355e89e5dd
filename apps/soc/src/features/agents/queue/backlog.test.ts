import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { agentQueue } from '../../../testing/agent-queue.ts'
import { agentsWithWork, claimJobs } from './claim-jobs.ts'

const AGENT = 'agent-001'
const CLAIMANT = { owner: 'here/1', instance: 'here', leaseMs: 60_000, underWay: () => [] }

type Db = Kysely<Tables>

/** Of all priorities, up to sixteen minutes old and none close to the eight; one in ten is not due. */
const waiting = (count: number) => `
  INSERT INTO agent_jobs (id, agent_id, key, input, priority, created_at, run_at)
  SELECT gen_random_uuid(), '${AGENT}', 'job-' || n, '{}', floor(random() * 5), born,
    born + CASE WHEN n % 10 = 0 THEN interval '1 hour' ELSE interval '0' END
  FROM (SELECT n, now() - interval '8 minutes'
      + (CASE WHEN n % 2 = 0 THEN 1 ELSE -1 END) * (2 + random() * 5) * interval '1 minute' AS born
    FROM generate_series(1, ${count}) AS n) AS aged`

/** As all that wait are ordered, not those at the front alone. */
async function firstOf(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM agent_jobs WHERE agent_id = ${AGENT} AND status = 'pending' AND run_at <= now()
    ORDER BY created_at < now() - interval '8 minutes' DESC, priority DESC, run_at, id
    LIMIT ${most}`.execute(db)
  return rows.map(({ key }) => key).sort()
}

test('what is claimed is what comes first of all that wait', async (t) => {
  const queue = await agentQueue(t)
  await queue.run(`UPDATE agents SET instances = 10`)
  await queue.run(waiting(300))
  let claimed = 0
  for (let most = 1; ; most = 1 + (claimed % 5)) {
    const expected = await firstOf(queue.db, most)
    const found = await claimJobs(queue.db, CLAIMANT, AGENT, most)
    assert.deepEqual(found.map(({ key }) => key).sort(), expected)
    if (found.length === 0) break
    claimed += found.length
    await queue.run(`DELETE FROM agent_jobs WHERE status = 'running'`)
  }
  assert.equal(claimed, 270, 'and what is not due waits on')
})

test('what was put off for long comes before what is more urgent', async (t) => {
  const queue = await agentQueue(t)
  await queue.run(waiting(100))
  await queue.run(`UPDATE agent_jobs SET priority = 4, created_at = now(), run_at = now()`)
  await queue.run(`UPDATE agent_jobs SET priority = 0, created_at = now() - interval '10 minutes',
    run_at = now() WHERE key = 'job-77'`)
  const [found] = await claimJobs(queue.db, CLAIMANT, AGENT, 1)
  assert.equal(found?.key, 'job-77')
})

test('who has work, and what is next, is found without reading what waits behind it', async (t) => {
  const queue = await agentQueue(t)
  await queue.run(waiting(2_000))
  await queue.run(`INSERT INTO agent_jobs (id, agent_id, key, input, priority, status, ended_at)
    SELECT gen_random_uuid(), '${AGENT}', 'done-' || n, '{}', 2, 'done', now()
    FROM generate_series(1, 20000) AS n`)
  await queue.run('VACUUM ANALYZE agent_jobs')
  await queue.db.connection().execute(async (db) => {
    const read = async (what: () => Promise<unknown>) => {
      const before = await rowsRead(db)
      await what()
      return (await rowsRead(db)) - before
    }
    assert.equal(await read(() => sql`SELECT sum(priority) FROM agent_jobs`.execute(db)), 22_000)
    const asked = await read(async () =>
      assert.deepEqual(await agentsWithWork(db, CLAIMANT), [AGENT]),
    )
    assert.ok(asked < 500, `${asked} rows were read to know who has work`)
    const taken = await read(async () =>
      assert.equal((await claimJobs(db, CLAIMANT, AGENT, 4)).length, 4),
    )
    assert.ok(taken < 500, `${taken} rows were read for four jobs`)
  })
})

/** From the table and from its indexes, as PostgreSQL counts what this connection has read. */
async function rowsRead(db: Db): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: string }>`
    SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
      WHERE relname = 'agent_jobs') AS read
    FROM pg_stat_user_tables WHERE relname = 'agent_jobs'`.execute(db)
  return Number(rows[0]?.read)
}

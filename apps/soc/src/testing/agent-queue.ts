import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { AgentRun } from '@manara/soc-contract/agents'
import { sql } from 'kysely'
import type { PoolConfig } from 'pg'
import { type Database, openDatabase } from '../db/database.ts'
import { createAgentRunner } from '../features/agents/queue/agent-runner.ts'
import type { Agents, NewJob } from '../features/agents/queue/agent-work.ts'
import { enqueueJobs } from '../features/agents/queue/enqueue-jobs.ts'
import { watchEvents } from '../features/agents/queue/watch-events.ts'
import { agentById } from '../features/agents/registry/agents.store.ts'
import type { LogStore, StoredLog } from '../ports/log-store.ts'
import { changesOf } from './changes-of.ts'
import { silentLog, testDatabase } from './test-postgres.ts'
import { until } from './until.ts'

type State = { status: string; attempts: number; wait_ms: number; error: string | null }

/** The queue alone, with agents that a test makes up; each `process` has connections of its own. */
export async function agentQueue(t: TestContext) {
  const connection = await testDatabase()
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  const db = database.kysely

  const jobs = async (agent: string): Promise<State[]> => {
    const { rows } = await sql<State>`
      SELECT status, attempts, error,
        round(extract(epoch FROM run_at - now()) * 1000)::int AS wait_ms
      FROM agent_jobs WHERE agent_id = ${agent} ORDER BY created_at, id`.execute(db)
    return rows
  }
  const allAre = (agent: string, status: string) =>
    until(`all jobs of ${agent} are ${status}`, async () =>
      (await jobs(agent)).every((job) => job.status === status),
    )

  return {
    db,
    jobs,
    allAre,
    agent: (id: string) => agentById(db, id),
    run: (text: string) => sql.raw(text).execute(db),
    /** The events, numbered, and one look of the watcher at them. */
    async watch(agents: Agents, events: { event: string; data: object }[]) {
      for (const { event, data } of events) {
        await sql`INSERT INTO outbox (event, data, seq) SELECT ${event}, ${JSON.stringify(data)}::jsonb,
          coalesce(max(seq), 0) + 1 FROM outbox`.execute(db)
      }
      await watchEvents({ db, agents, internalWorkflow: workflowOf(database), log: silentLog })
    },
    add: (...some: NewJob[]) => enqueueJobs(db, some),
    runs: (agent: string) =>
      db
        .selectFrom('agent_runs')
        .selectAll()
        .where('agent_id', '=', agent)
        .orderBy('completed_at')
        .execute() as unknown as Promise<AgentRun[]>,
    process: (agents: Agents, options: { leaseMs?: number; logs?: StoredLog[] } = {}) =>
      startProcess(t, connection, agents, options),
  }
}

async function startProcess(
  t: TestContext,
  connection: PoolConfig,
  agents: Agents,
  { leaseMs = 15_000, logs = [] }: { leaseMs?: number; logs?: StoredLog[] },
) {
  const database = await openDatabase({ connection, log: silentLog })
  const instance = randomUUID()
  const runner = createAgentRunner({
    db: database.kysely,
    logs: onlyThese(logs),
    agents,
    instance,
    owner: `${instance}/1`,
    leaseMs,
    isReady: database.isAvailable,
    standsBack: () => false,
    internalWorkflow: workflowOf(database),
    now: Date.now,
    log: silentLog,
  })
  runner.start()
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await runner.stop()
    await database.close()
  }
  t.after(stop)
  return { wake: runner.wake, stop }
}

const workflowOf = (database: Database) => changesOf(database).internalWorkflow

/** Enough of a store for agents that read nothing but what they cite. */
const onlyThese = (logs: StoredLog[]) =>
  ({
    search: async () => ({ logs, total: logs.length, isTotalExact: true, partial: null }),
  }) as unknown as LogStore

import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { storableJson } from '../../../db/storable.ts'
import type { Tables } from '../../../db/tables.ts'
import type { NewJob } from './agent-work.ts'

type Tx = Kysely<Tables>

/** Each key once: who asks for the same again is told nothing. Answers how many are new. */
export async function enqueueJobs(tx: Tx, jobs: NewJob[]): Promise<number> {
  const fresh: NewJob[] = []
  for (const job of jobs) {
    if (!job.isPutOff || !(await putOff(tx, job))) fresh.push(job)
  }
  if (fresh.length === 0) return 0
  const rows = storableJson(
    fresh.map(({ agent, key, input, priority, group = null, delayMs = 0 }) => ({
      id: randomUUIDv7(),
      agent_id: agent,
      key,
      input,
      priority,
      group_key: group,
      delay: `${delayMs} milliseconds`,
    })),
  )
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO agent_jobs (id, agent_id, key, input, priority, group_key, run_at)
    SELECT id, agent_id, key, input, priority, group_key, now() + delay
    FROM jsonb_to_recordset(${rows}::jsonb) AS job(id uuid, agent_id text, key text, input jsonb,
      priority smallint, group_key text, delay interval)
    ON CONFLICT (agent_id, key) DO NOTHING`.execute(tx)
  return Number(numAffectedRows)
}

const LONGEST_WAIT = "interval '10 minutes'"

/** One that waits for its group to be quiet waits on, but never longer than ten minutes. */
async function putOff(tx: Tx, { agent, group, delayMs = 0, priority }: NewJob): Promise<boolean> {
  if (!group) return false
  const { numAffectedRows = 0n } = await sql`
    UPDATE agent_jobs SET priority = greatest(priority, ${priority}),
      run_at = least(now() + ${`${delayMs} milliseconds`}::interval,
        created_at + ${sql.raw(LONGEST_WAIT)})
    WHERE agent_id = ${agent} AND group_key = ${group} AND status = 'pending'`.execute(tx)
  return numAffectedRows > 0n
}

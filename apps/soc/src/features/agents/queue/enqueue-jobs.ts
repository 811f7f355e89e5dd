import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { storableJson } from '../../../db/storable.ts'
import type { Tables } from '../../../db/tables.ts'
import type { NewJob } from './agent-work.ts'

type Tx = Kysely<Tables>

/** Each key once: who asks for the same again is told nothing. Answers how many are new. */
export async function enqueueJobs(tx: Tx, jobs: NewJob[]): Promise<number> {
  const waiting = Map.groupBy(
    jobs.filter(({ isPutOff }) => isPutOff),
    groupOf,
  )
  const done = new Set<string>()
  for (const [group, some] of waiting) if (await putOff(tx, some)) done.add(group)
  const fresh = jobs.filter((job) => !job.isPutOff || !done.has(groupOf(job)))
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

const groupOf = ({ agent, group }: NewJob) => `${agent} ${group}`

/**
 * One that waits for its group to be quiet waits on, but never longer than ten minutes. Once for all
 * jobs of a group: one by one in a transaction each of a thousand would go over what the others left.
 */
async function putOff(tx: Tx, jobs: NewJob[]): Promise<boolean> {
  const { agent, group, delayMs = 0 } = jobs.at(-1) as NewJob
  if (!group) return false
  const priority = Math.max(...jobs.map((job) => job.priority))
  const { numAffectedRows = 0n } = await sql`
    UPDATE agent_jobs SET priority = greatest(priority, ${priority}),
      run_at = least(now() + ${`${delayMs} milliseconds`}::interval,
        created_at + ${sql.raw(LONGEST_WAIT)})
    WHERE agent_id = ${agent} AND group_key = ${group} AND status = 'pending'`.execute(tx)
  return numAffectedRows > 0n
}

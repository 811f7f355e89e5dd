import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'

/**
 * Jobs stay for a week, longer than events do, so that none is worked twice; runs stay for ninety
 * days. What waited for a day, because its agent was off, is told as failed instead of being worked
 * when nobody expects it any more.
 */
export async function tidyJobs(db: Kysely<Tables>): Promise<boolean> {
  await sql`
    UPDATE agent_jobs SET status = 'failed', ended_at = now(),
      error = 'waited for a day while the agent was off'
    WHERE status = 'pending' AND run_at < now() - interval '1 day'
      AND agent_id IN (SELECT id FROM agents WHERE NOT enabled OR instances = 0)`.execute(db)
  await sql`
    DELETE FROM agent_jobs WHERE status IN ('done', 'failed')
      AND ended_at < now() - interval '7 days'`.execute(db)
  await sql`DELETE FROM agent_runs WHERE completed_at < now() - interval '90 days'`.execute(db)
  await sql`DELETE FROM agent_hours WHERE hour < now() - interval '7 days'`.execute(db)
  return false
}

import { statement } from './statement.ts'

/**
 * After a storm of alerts hundreds of thousands of jobs wait, and those that are done stay for a
 * week: what is next, how many wait and since when is read from the jobs that are not done, by their
 * age. Priorities are those of severities, so that the first of each can be asked for.
 *
 * The ids of agents are compared as the columns that name them are. With a collation of their own no
 * index of those served a comparison with them, and all jobs were read for each of the agents.
 */
export const agentBacklog = statement(`
  ALTER TABLE agents ALTER COLUMN id TYPE text COLLATE "default";
  CREATE INDEX agent_jobs_open ON agent_jobs (agent_id, status, created_at, run_at)
    WHERE status <> 'done';
  UPDATE agent_jobs SET priority = least(greatest(priority, 0), 4)
    WHERE priority NOT BETWEEN 0 AND 4;
  ALTER TABLE agent_jobs ADD CHECK (priority BETWEEN 0 AND 4);
`)

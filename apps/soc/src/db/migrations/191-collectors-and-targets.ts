import { statement } from './statement.ts'

/**
 * Machines that forward the logs of others: cutting one off would silence everybody behind it. And
 * whom exactly an approval is about, which is also what its execution then reaches.
 */
export const collectorsAndTargets = statement(`
  CREATE TABLE log_collectors (
    name text PRIMARY KEY,
    first_seen_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL
  );
  ALTER TABLE approvals ADD targets jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE executions ADD targets jsonb NOT NULL DEFAULT '[]';
`)

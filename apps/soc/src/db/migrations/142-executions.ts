import { statement } from './statement.ts'

/**
 * An execution carries its own copy of the steps: an edit of the playbook never changes what has
 * begun. It belongs to the process in `owner` until `lease_until`; nobody touches it before
 * `resume_at`. Each step is written before it runs and after.
 */
export const executions = statement(`
  CREATE TABLE executions (
    id uuid PRIMARY KEY,
    playbook_id text NOT NULL,
    playbook_name text NOT NULL,
    playbook_version integer NOT NULL,
    plan jsonb NOT NULL,
    trigger text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'pending_approval', 'running', 'completed',
      'failed', 'cancelled', 'timed_out')),
    dry_run boolean NOT NULL,
    alert_id uuid,
    case_id uuid,
    parameters jsonb NOT NULL,
    approval_id uuid,
    requested_by text NOT NULL,
    error text,
    cancel_requested_by text,
    rollback text NOT NULL DEFAULT 'none' CHECK (rollback IN
      ('none', 'pending', 'completed', 'failed')),
    -- What it becomes when the rollback under way is over.
    ends_as text,
    timeout_s integer NOT NULL,
    deadline timestamptz(3),
    owner text,
    lease_until timestamptz(3),
    resume_at timestamptz(3) NOT NULL DEFAULT now(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    started_at timestamptz(3),
    completed_at timestamptz(3)
  );
  CREATE INDEX executions_listed ON executions (created_at, id);
  CREATE INDEX executions_by_playbook ON executions (playbook_id, created_at, id);
  CREATE INDEX executions_due ON executions (resume_at)
    WHERE status IN ('pending', 'pending_approval', 'running') OR rollback = 'pending';
  CREATE UNIQUE INDEX executions_triggered_once ON executions (playbook_id, alert_id)
    WHERE trigger <> 'manual';

  CREATE TABLE execution_steps (
    execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
    position integer NOT NULL,
    id text NOT NULL,
    action text NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    -- The parameters as they were filled in: what a rollback takes back.
    input jsonb,
    output jsonb,
    error text,
    attempts integer NOT NULL DEFAULT 0,
    is_simulated boolean NOT NULL DEFAULT false,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    PRIMARY KEY (execution_id, position)
  );
`)

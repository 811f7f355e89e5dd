import { statement } from './statement.ts'

/**
 * `binding_hash` stands for exactly what was asked: playbook with its steps, parameters and target.
 * Times are the database's: several processes must agree on what has expired.
 */
export const approvals = statement(`
  CREATE TABLE approvals (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('playbook', 'step', 'request')),
    action text NOT NULL,
    justification text,
    playbook_id text,
    playbook_name text,
    execution_id uuid,
    alert_id uuid,
    case_id uuid,
    parameters jsonb NOT NULL,
    binding_hash text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN
      ('pending', 'approved', 'rejected', 'timeout', 'cancelled', 'consumed')),
    requested_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    decided_by text,
    decided_at timestamptz(3),
    reason text,
    consumed_at timestamptz(3),
    CHECK ((status = 'consumed') = (consumed_at IS NOT NULL))
  );
  CREATE INDEX approvals_listed ON approvals (created_at, id);
  CREATE INDEX approvals_pending ON approvals (expires_at) WHERE status = 'pending';
`)

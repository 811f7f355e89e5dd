import { statement } from './statement.ts'

/**
 * Somebody waits for a decision: looked at every 30 seconds, ten times. A row instead of a
 * connection, so that the waiting goes on after a restart. `outcome` is what the looking came to.
 */
export const approvalWaits = statement(`
  CREATE TABLE approval_waits (
    approval_id uuid PRIMARY KEY REFERENCES approvals,
    polls integer NOT NULL DEFAULT 0,
    next_poll_at timestamptz(3) NOT NULL DEFAULT now() + interval '30 seconds',
    outcome text CHECK (outcome IN ('decided', 'timeout'))
  );
  CREATE INDEX approvals_binding ON approvals (binding_hash, created_at);
  CREATE INDEX approval_waits_due ON approval_waits (next_poll_at) WHERE outcome IS NULL;
`)

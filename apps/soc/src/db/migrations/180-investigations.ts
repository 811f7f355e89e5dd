import { statement } from './statement.ts'

/**
 * What was asked and what was concluded. A running one belongs to the process whose lease has not
 * ended: after that any process takes it up again, so none stays running for ever.
 *
 * Baselines are kept by day: how many hosts showed a feature. A day that is over is learnt once,
 * and forgotten when it is 28 days old.
 */
export const investigations = statement(`
  CREATE TABLE investigations (
    id uuid PRIMARY KEY,
    status text NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
    request jsonb NOT NULL,
    requested_by text NOT NULL,
    progress jsonb,
    conclusion jsonb,
    verdict text,
    error text,
    attempts integer NOT NULL DEFAULT 0,
    owner uuid,
    lease_until timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    completed_at timestamptz(3)
  );
  CREATE INDEX investigations_created ON investigations (created_at, id);
  CREATE INDEX investigations_running ON investigations (lease_until) WHERE status = 'running';

  CREATE TABLE baseline_days (
    day date PRIMARY KEY,
    hosts integer NOT NULL DEFAULT 0,
    events bigint NOT NULL DEFAULT 0,
    is_partial boolean NOT NULL DEFAULT false,
    lease_until timestamptz(3),
    learnt_at timestamptz(3)
  );
  CREATE TABLE baseline_features (
    day date NOT NULL REFERENCES baseline_days ON DELETE CASCADE,
    feature text NOT NULL COLLATE "C",
    hosts integer NOT NULL,
    PRIMARY KEY (day, feature)
  );

  -- Which rules matched an event.
  CREATE INDEX detection_hits_log ON detection_hits (log_id);
`)

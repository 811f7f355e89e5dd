import { statement } from './statement.ts'

/**
 * The agents, their queue and what came of their work. The row of an agent is the lock under which
 * its jobs are claimed: whoever holds it counts what runs anywhere. A running job belongs to its
 * owner until `lease_until`. In a storm jobs that concern the same host and user are `joined` to one
 * of them and done with it. Times are the database's: several processes must agree.
 */
export const agents = statement(`
  CREATE TABLE agents (
    id text PRIMARY KEY COLLATE "C",
    enabled boolean NOT NULL DEFAULT true,
    instances integer NOT NULL DEFAULT 1 CHECK (instances BETWEEN 0 AND 10),
    site_id text,
    -- Set while its status is error; one job is tried when probe_at has come.
    failing_since timestamptz(3),
    probe_at timestamptz(3),
    recovered_at timestamptz(3),
    -- When a timer asks for its next job, and how far the last one has looked.
    due_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 minute',
    looked_until timestamptz(3)
  );
  INSERT INTO agents (id, instances) VALUES
    ('agent-001', 4), ('agent-002', 2), ('agent-003', 1), ('agent-004', 1), ('agent-005', 1),
    ('agent-006', 2), ('agent-007', 1), ('agent-008', 1), ('agent-009', 1), ('agent-010', 1),
    ('agent-011', 1), ('agent-012', 1), ('agent-013', 1), ('agent-014', 1), ('agent-015', 1),
    ('agent-016', 2);

  CREATE TABLE agent_pause (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    is_paused boolean NOT NULL DEFAULT false,
    by text,
    reason text,
    at timestamptz(3)
  );
  INSERT INTO agent_pause DEFAULT VALUES;

  -- How far events were looked at for work they mean; its holder looks on.
  CREATE TABLE agent_event_head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq bigint NOT NULL
  );
  INSERT INTO agent_event_head (seq) SELECT seq FROM outbox_head;

  CREATE TABLE agent_jobs (
    id uuid PRIMARY KEY,
    agent_id text NOT NULL REFERENCES agents,
    -- The event and its record, so that an event is worked once.
    key text NOT NULL COLLATE "C",
    input jsonb NOT NULL,
    priority smallint NOT NULL,
    group_key text COLLATE "C",
    status text NOT NULL DEFAULT 'pending' CHECK (status IN
      ('pending', 'running', 'joined', 'done', 'failed')),
    joined_to uuid,
    attempts integer NOT NULL DEFAULT 0,
    error text,
    owner text,
    lease_until timestamptz(3),
    run_at timestamptz(3) NOT NULL DEFAULT now(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    ended_at timestamptz(3),
    UNIQUE (agent_id, key)
  );
  CREATE INDEX agent_jobs_due ON agent_jobs (agent_id, priority DESC, run_at, id)
    WHERE status = 'pending';
  CREATE INDEX agent_jobs_running ON agent_jobs (agent_id) WHERE status = 'running';
  CREATE INDEX agent_jobs_grouped ON agent_jobs (agent_id, group_key)
    WHERE status = 'pending' AND group_key IS NOT NULL;
  CREATE INDEX agent_jobs_joined ON agent_jobs (joined_to) WHERE status = 'joined';
  CREATE INDEX agent_jobs_failed ON agent_jobs (agent_id, ended_at) WHERE status = 'failed';
  CREATE INDEX agent_jobs_ended ON agent_jobs (ended_at) WHERE ended_at IS NOT NULL;

  CREATE TABLE agent_runs (
    id uuid PRIMARY KEY,
    agent_id text NOT NULL REFERENCES agents,
    key text NOT NULL,
    attempt integer NOT NULL,
    status text NOT NULL CHECK (status IN ('completed', 'partial', 'failed')),
    summary text NOT NULL,
    steps jsonb NOT NULL,
    findings integer NOT NULL,
    proposals integer NOT NULL,
    dropped integer NOT NULL,
    used jsonb NOT NULL,
    partial text,
    error text,
    started_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX agent_runs_listed ON agent_runs (agent_id, completed_at, id);
  CREATE INDEX agent_runs_old ON agent_runs (completed_at);

  -- Counted apart from the agent's row, which claims hold.
  CREATE TABLE agent_hours (
    agent_id text NOT NULL REFERENCES agents,
    hour timestamptz(3) NOT NULL,
    runs integer NOT NULL,
    errors integer NOT NULL,
    events bigint NOT NULL,
    queries bigint NOT NULL,
    ms bigint NOT NULL,
    last_run_at timestamptz(3) NOT NULL,
    last_error text,
    PRIMARY KEY (agent_id, hour)
  );

  CREATE TABLE agent_findings (
    id uuid PRIMARY KEY,
    agent_id text NOT NULL REFERENCES agents,
    run_id uuid NOT NULL,
    -- The same claim about the same thing is made once.
    key text NOT NULL COLLATE "C",
    kind text NOT NULL,
    claim text NOT NULL,
    reasons text[] NOT NULL,
    weight integer NOT NULL CHECK (weight BETWEEN 0 AND 100),
    alert_id uuid,
    case_id uuid,
    host text,
    techniques text[] NOT NULL,
    data jsonb NOT NULL,
    cites jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (agent_id, key)
  );
  CREATE INDEX agent_findings_listed ON agent_findings (created_at, id);
  CREATE INDEX agent_findings_of_alert ON agent_findings (alert_id) WHERE alert_id IS NOT NULL;
  CREATE INDEX agent_findings_of_case ON agent_findings (case_id) WHERE case_id IS NOT NULL;
`)

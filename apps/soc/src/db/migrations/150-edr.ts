import { statement } from './statement.ts'

/**
 * An endpoint is known by the EDR's id; one that only the logs have shown, by its name, until the
 * EDR reports that name. At most one isolate or unisolate is under way for an endpoint, and the
 * index says so whatever the code thinks.
 *
 * next_attempt_at is also the claim: who takes an action moves it past the time the call may take,
 * so that after a kill the action becomes due again by itself.
 */
export const edr = statement(`
  CREATE TABLE edr_endpoints (
    id uuid PRIMARY KEY,
    external_id text UNIQUE,
    hostname text NOT NULL,
    ips text[] NOT NULL,
    os_name text,
    os_version text,
    os_arch text,
    agent_version text,
    status text NOT NULL CHECK (status IN ('online', 'offline', 'unknown')),
    isolation text NOT NULL DEFAULT 'none'
      CHECK (isolation IN ('none', 'pending', 'isolated', 'releasing')),
    labels text[] NOT NULL DEFAULT '{}',
    site_id text,
    first_seen_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL
  ) WITH (fillfactor = 80);
  CREATE UNIQUE INDEX edr_endpoints_learnt ON edr_endpoints (lower(hostname))
    WHERE external_id IS NULL;
  CREATE INDEX edr_endpoints_name ON edr_endpoints (lower(hostname));
  CREATE INDEX edr_endpoints_seen ON edr_endpoints (last_seen_at, id);
  CREATE INDEX edr_endpoints_first ON edr_endpoints (first_seen_at, id);
  CREATE INDEX edr_endpoints_ips ON edr_endpoints USING gin (ips);

  CREATE TABLE edr_actions (
    action_id uuid PRIMARY KEY,
    endpoint_id uuid NOT NULL REFERENCES edr_endpoints,
    command text NOT NULL CHECK (command IN ('isolate', 'unisolate', 'scan')),
    status text NOT NULL
      CHECK (status IN ('queued', 'sent', 'completed', 'failed', 'cancelled')),
    simulated boolean NOT NULL,
    adapter text NOT NULL,
    requested_by text NOT NULL,
    request_key text UNIQUE,
    reason text,
    detail text,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    completed_at timestamptz(3)
  );
  CREATE INDEX edr_actions_created ON edr_actions (created_at, action_id);
  CREATE INDEX edr_actions_endpoint ON edr_actions (endpoint_id, created_at, action_id);
  CREATE INDEX edr_actions_due ON edr_actions (next_attempt_at)
    WHERE status IN ('queued', 'sent');
  CREATE UNIQUE INDEX edr_actions_one_isolation ON edr_actions (endpoint_id)
    WHERE status IN ('queued', 'sent') AND command IN ('isolate', 'unisolate');
`)

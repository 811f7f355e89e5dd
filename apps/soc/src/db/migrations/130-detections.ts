import { statement } from './statement.ts'

/**
 * Rules, what they found and what held them back.
 *
 * detection_hits makes an event raise an alert once: whoever sees it first, the stream or a run,
 * claims (rule_id, log_id). covered_until is how far the scheduled runs have looked, by the time of
 * arrival; lease_until keeps a rule for the process that evaluates it until that one is gone.
 */
export const detections = statement(`
  CREATE TABLE detection_rules (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL,
    query text NOT NULL,
    source text,
    host text,
    match_severity text,
    alert_severity text NOT NULL,
    alert_title_template text NOT NULL,
    alert_description_template text NOT NULL,
    auto_create_case boolean NOT NULL,
    schedule_enabled boolean NOT NULL,
    schedule_interval_minutes integer NOT NULL CHECK (schedule_interval_minutes BETWEEN 1 AND 10080),
    mitre_techniques text[] NOT NULL,
    sharing_mode text NOT NULL CHECK (sharing_mode IN ('private', 'team', 'roles')),
    shared_with_roles text[] NOT NULL,
    tags text[] NOT NULL,
    kind text NOT NULL CHECK (kind IN ('query', 'threshold', 'new_terms', 'sequence')),
    threshold jsonb,
    new_terms jsonb,
    sequence jsonb,
    enabled boolean NOT NULL,
    sigma_id text,
    sigma_source text,
    warnings text[] NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    next_run_at timestamptz(3),
    last_run_at timestamptz(3),
    covered_until timestamptz(3),
    -- Since when a new_terms rule knows what was there before it.
    terms_learnt_at timestamptz(3),
    lease_until timestamptz(3),
    lease_token uuid,
    failures integer NOT NULL DEFAULT 0,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX detection_rules_created ON detection_rules (created_at, id);
  CREATE INDEX detection_rules_due ON detection_rules (next_run_at)
    WHERE enabled AND schedule_enabled;
  CREATE UNIQUE INDEX detection_rules_sigma ON detection_rules (sigma_id)
    WHERE sigma_id IS NOT NULL;

  CREATE TABLE detection_runs (
    id uuid PRIMARY KEY,
    rule_id uuid NOT NULL REFERENCES detection_rules ON DELETE CASCADE,
    trigger_mode text NOT NULL CHECK (trigger_mode IN ('manual', 'scheduled')),
    status text NOT NULL CHECK (status IN ('completed', 'failed')),
    match_count integer NOT NULL,
    suppressed_count integer NOT NULL,
    sample_log_ids text[] NOT NULL,
    alert_ids text[] NOT NULL,
    window_from timestamptz(3) NOT NULL,
    window_to timestamptz(3) NOT NULL,
    lateness_ms bigint NOT NULL,
    gap_ms bigint NOT NULL,
    events_scanned bigint NOT NULL,
    error text,
    run_by text NOT NULL,
    started_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3) NOT NULL
  );
  CREATE INDEX detection_runs_by_rule ON detection_runs (rule_id, started_at, id);
  CREATE INDEX detection_runs_recent ON detection_runs (started_at);

  CREATE TABLE detection_suppressions (
    id uuid PRIMARY KEY,
    rule_id uuid NOT NULL REFERENCES detection_rules ON DELETE CASCADE,
    name text NOT NULL,
    reason text NOT NULL,
    criteria jsonb NOT NULL,
    suppress_for_hours integer NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    held_count bigint NOT NULL DEFAULT 0,
    last_held_at timestamptz(3),
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX detection_suppressions_by_rule
    ON detection_suppressions (rule_id, created_at, id);

  CREATE TABLE detection_feedback (
    id uuid PRIMARY KEY,
    rule_id uuid NOT NULL REFERENCES detection_rules ON DELETE CASCADE,
    verdict text NOT NULL CHECK (verdict IN ('true_positive', 'false_positive', 'needs_tuning')),
    alert_id text,
    case_id text,
    siem_log_id text,
    notes text,
    metadata jsonb NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX detection_feedback_by_rule ON detection_feedback (rule_id, created_at, id);
  CREATE INDEX detection_feedback_recent ON detection_feedback (created_at);

  -- counted_run has the event in its match_count, once it is recorded; null for the stream.
  CREATE TABLE detection_hits (
    rule_id uuid NOT NULL REFERENCES detection_rules ON DELETE CASCADE,
    log_id text NOT NULL COLLATE "C",
    is_held boolean NOT NULL,
    counted_run uuid,
    alert_id uuid,
    claimed_at timestamptz(3) NOT NULL,
    PRIMARY KEY (rule_id, log_id)
  );
  CREATE INDEX detection_hits_recent ON detection_hits USING brin (claimed_at);

  -- What a new_terms rule has learnt; log_id is the event in which the value was new.
  CREATE TABLE detection_terms (
    rule_id uuid NOT NULL REFERENCES detection_rules ON DELETE CASCADE,
    term text NOT NULL COLLATE "C",
    log_id text,
    last_seen_at timestamptz(3) NOT NULL,
    PRIMARY KEY (rule_id, term)
  );

  -- Before a rule raises an alert it looks whether the same one is still open.
  CREATE INDEX alerts_open_of_rule ON alerts (rule_id, md5(title))
    WHERE rule_id IS NOT NULL AND status NOT IN ('resolved', 'closed', 'suppressed');
`)

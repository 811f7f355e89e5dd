import { statement } from './statement.ts'

/**
 * One unique hash a row makes deduplication hold however many post at once. The indexes follow the
 * list: each filter of the contract in the order of the default sort.
 *
 * alerts_created is only for lists without such a filter, which say so by repeating its condition.
 * Else the planner would walk it for `status=closed` too, past every alert that is still open:
 * it cannot know that the newest alerts are hardly ever closed.
 *
 * No tree index holds what the same alert again changes (occurrence_count, last_seen_at,
 * updated_at), and pages keep some room: an alert storm then rewrites one row in place instead of
 * an entry in every index. BRIN serves updated_since without being in the way.
 */
export const alerts = statement(`
  CREATE FUNCTION alert_words(
    title text, description text, source text, source_ref text, host text,
    iocs text[], tags text[], techniques text[]
  ) RETURNS tsvector IMMUTABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN search_words(concat_ws(' ', title, source, source_ref, host,
      array_to_string(iocs, ' '), array_to_string(tags, ' '),
      array_to_string(techniques, ' '), description));
  END $$;

  CREATE TABLE alerts (
    id uuid PRIMARY KEY,
    title text NOT NULL,
    description text,
    source text NOT NULL,
    source_ref text,
    severity text NOT NULL,
    severity_rank smallint NOT NULL GENERATED ALWAYS AS (severity_rank(severity)) STORED,
    status text NOT NULL CHECK (status IN ('new', 'triaged', 'investigating', 'escalated',
      'resolved', 'closed', 'suppressed')),
    resolution text,
    iocs text[] NOT NULL,
    host text,
    site_id text,
    assignee text,
    tags text[] NOT NULL,
    rule_id text,
    mitre_techniques text[] NOT NULL,
    dedup_hash text NOT NULL COLLATE "C",
    occurrence_count integer NOT NULL DEFAULT 1,
    first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    case_id uuid REFERENCES cases,
    raw jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    search tsvector NOT NULL GENERATED ALWAYS AS (alert_words(
      title, description, source, source_ref, host, iocs, tags, mitre_techniques)) STORED
  ) WITH (fillfactor = 90);
  CREATE UNIQUE INDEX alerts_dedup ON alerts (dedup_hash);
  CREATE INDEX alerts_created ON alerts (created_at, id) WHERE severity_rank > 0;
  CREATE INDEX alerts_updated ON alerts USING brin (updated_at);
  CREATE INDEX alerts_severity ON alerts (severity_rank, created_at, id);
  CREATE INDEX alerts_status ON alerts (status, created_at, id);
  CREATE INDEX alerts_status_severity ON alerts (status, severity_rank, created_at, id);
  CREATE INDEX alerts_source ON alerts (source, created_at, id);
  CREATE INDEX alerts_case ON alerts (case_id) WHERE case_id IS NOT NULL;
  CREATE INDEX alerts_assignee ON alerts (assignee, created_at, id) WHERE assignee IS NOT NULL;
  CREATE INDEX alerts_rule ON alerts (rule_id, created_at, id) WHERE rule_id IS NOT NULL;
  CREATE INDEX alerts_host ON alerts (host, created_at, id) WHERE host IS NOT NULL;
  CREATE INDEX alerts_tags ON alerts USING gin (tags);
  CREATE INDEX alerts_search ON alerts USING gin (search);
`)

import { statement } from './statement.ts'

/** Cases before alerts, which point at them. Times keep milliseconds, so that a cursor names them exactly. */
export const cases = statement(`
  CREATE FUNCTION severity_rank(severity text) RETURNS smallint IMMUTABLE PARALLEL SAFE
    RETURN array_position(ARRAY['info', 'low', 'medium', 'high', 'critical'], severity);

  -- Names and paths are found whole (powershell.exe, 10.0.0.7) and by their parts (powershell).
  -- A tsvector ends at 1 MB, hence the cut.
  CREATE FUNCTION search_words(document text) RETURNS tsvector IMMUTABLE PARALLEL SAFE
    RETURN to_tsvector('simple'::regconfig, left(document, 100000))
      || to_tsvector('simple'::regconfig,
           regexp_replace(left(document, 100000), '[^[:alnum:]]+', ' ', 'g'));

  CREATE TABLE cases (
    id uuid PRIMARY KEY,
    title text NOT NULL,
    status text NOT NULL CHECK (status IN
      ('open', 'investigating', 'pending_approval', 'on_hold', 'resolved', 'closed')),
    severity text NOT NULL,
    severity_rank smallint NOT NULL GENERATED ALWAYS AS (severity_rank(severity)) STORED,
    description text,
    assignee text,
    requires_human_approval boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    merged_into uuid REFERENCES cases,
    ledger_length integer NOT NULL DEFAULT 0,
    ledger_head text NOT NULL DEFAULT repeat('0', 64),
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz(3),
    deleted_by text,
    search tsvector NOT NULL GENERATED ALWAYS AS
      (search_words(title || ' ' || coalesce(description, ''))) STORED
  );
  CREATE INDEX cases_listed ON cases (created_at, id)
    WHERE deleted_at IS NULL AND merged_into IS NULL;
  CREATE INDEX cases_merged ON cases (merged_into) WHERE merged_into IS NOT NULL;
  CREATE INDEX cases_search ON cases USING gin (search);

  CREATE TABLE case_timeline (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES cases,
    agent text NOT NULL,
    action text NOT NULL,
    -- Of the moment, not of the transaction: who waited for the case comes later in its story.
    timestamp timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX case_timeline_by_case ON case_timeline (case_id, id);

  CREATE TABLE case_observables (
    id uuid PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES cases,
    type text NOT NULL,
    value text NOT NULL,
    source text,
    tags text[] NOT NULL,
    context jsonb NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX case_observables_by_case ON case_observables (case_id, created_at);

  CREATE TABLE case_comments (
    id uuid PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES cases,
    author text NOT NULL,
    body text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX case_comments_by_case ON case_comments (case_id, created_at);

  CREATE TABLE case_tasks (
    id uuid PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES cases,
    title text NOT NULL,
    description text,
    status text NOT NULL,
    assignee text,
    due_at timestamptz(3),
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX case_tasks_by_case ON case_tasks (case_id, created_at);

  -- What a merge moved, so that an unmerge can bring exactly that back.
  CREATE TABLE case_merges (
    id uuid PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES cases,
    merged_case_id uuid NOT NULL REFERENCES cases,
    alert_ids uuid[] NOT NULL,
    merged_by text NOT NULL,
    merged_at timestamptz(3) NOT NULL DEFAULT now(),
    unmerged_by text,
    unmerged_at timestamptz(3)
  );
  CREATE UNIQUE INDEX case_merges_once ON case_merges (merged_case_id) WHERE unmerged_at IS NULL;
`)

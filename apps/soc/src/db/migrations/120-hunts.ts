import { statement } from './statement.ts'

/** Saved searches, and what each run of them counted. */
export const hunts = statement(`
  CREATE TABLE hunts (
    id uuid PRIMARY KEY,
    title text NOT NULL,
    description text NOT NULL,
    query text NOT NULL,
    source text,
    severity text,
    host text,
    sharing_mode text NOT NULL CHECK (sharing_mode IN ('private', 'team', 'roles')),
    shared_with_roles text[] NOT NULL,
    tags text[] NOT NULL,
    last_run_at timestamptz(3),
    last_match_count bigint,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX hunts_listed ON hunts (created_at, id);

  CREATE TABLE hunt_runs (
    id uuid PRIMARY KEY,
    hunt_id uuid NOT NULL REFERENCES hunts ON DELETE CASCADE,
    run_by text NOT NULL,
    match_count bigint NOT NULL,
    is_count_exact boolean NOT NULL,
    partial jsonb,
    searched_from timestamptz(3),
    searched_to timestamptz(3),
    duration_ms integer NOT NULL,
    started_at timestamptz(3) NOT NULL
  );
  CREATE INDEX hunt_runs_listed ON hunt_runs (hunt_id, started_at, id);
`)

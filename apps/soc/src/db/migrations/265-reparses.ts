import { statement } from './statement.ts'

/** Tasks that read stored events again. What is counted and where it stands survive a kill. */
export const reparses = statement(`
  CREATE TABLE log_reparses (
    id uuid PRIMARY KEY,
    source text NOT NULL,
    from_at timestamptz(3),
    to_at timestamptz(3),
    dry_run boolean NOT NULL,
    status text NOT NULL DEFAULT 'queued'
      CHECK (status IN ('queued', 'running', 'done', 'cancelled', 'failed')),
    total bigint,
    read bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    too_new bigint NOT NULL DEFAULT 0,
    examples jsonb NOT NULL DEFAULT '[]',
    error text,
    cursor_at bigint,
    cursor_id text,
    pending jsonb,
    is_settled boolean NOT NULL DEFAULT false,
    claimed_by uuid,
    claimed_until timestamptz(3),
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    started_at timestamptz(3),
    finished_at timestamptz(3)
  );
  CREATE INDEX log_reparses_open ON log_reparses (created_at) WHERE NOT is_settled;
  CREATE FUNCTION tell_log_reparses() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('soc_reparses', '');
    RETURN NULL;
  END $$;
  CREATE TRIGGER log_reparses_made AFTER INSERT ON log_reparses
    FOR EACH STATEMENT EXECUTE FUNCTION tell_log_reparses();
`)

import { statement } from './statement.ts'

/**
 * Writers insert entries in their own transactions and wait for nobody. One sealer at a time, the
 * holder of the row in audit_head, numbers and chains what has been committed. The only change an
 * entry ever sees is that one: from unsealed to sealed.
 */
export const audit = statement(`
  CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    actor text NOT NULL,
    actor_kind text NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    outcome text NOT NULL,
    detail text,
    before jsonb,
    after jsonb,
    address text,
    request_id text,
    seq bigint UNIQUE,
    prev_hash text,
    entry_hash text
  );
  CREATE INDEX audit_unsealed ON audit_log (id) WHERE seq IS NULL;
  CREATE INDEX audit_by_actor ON audit_log (actor, id);
  CREATE INDEX audit_by_target ON audit_log (target, id);
  CREATE INDEX audit_by_time ON audit_log USING brin (at);

  CREATE TABLE audit_head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seq bigint NOT NULL,
    entry_hash text NOT NULL
  );
  INSERT INTO audit_head (seq, entry_hash) VALUES (0, repeat('0', 64));

  CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND OLD.seq IS NULL AND NEW.seq IS NOT NULL
      AND to_jsonb(NEW) - '{seq,prev_hash,entry_hash}'::text[]
        = to_jsonb(OLD) - '{seq,prev_hash,entry_hash}'::text[] THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
  END $$;
  CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
  CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
`)

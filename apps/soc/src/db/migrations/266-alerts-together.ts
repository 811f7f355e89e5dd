import { statement } from './statement.ts'

/**
 * Many alerts come in one statement (ADR 090): what follows each of them, its place in the counts,
 * in its hour and among the signals, is then written once for all of them instead of by three
 * triggers for every row. Changes of single alerts are counted as before.
 *
 * The parts of a text and whether an audit entry was only sealed are what they were, at a quarter
 * of the cost: no window over the letters, no JSON of both versions of an entry.
 */
export const alertsTogether = statement(`
  CREATE FUNCTION follow_new_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    many integer := (SELECT count(*) FROM added);
  BEGIN
    IF many = 0 THEN RETURN NULL; END IF;
    INSERT INTO alert_counts
      SELECT severity, status, source, count(*) FROM added GROUP BY severity, status, source;
    INSERT INTO alert_hour_changes
      SELECT date_trunc('hour', moment, 'UTC'), severity, sum(created), sum(acknowledged),
        sum(acknowledged * took), sum(resolved), sum(resolved * took)
      FROM added,
        LATERAL (VALUES
          (created_at, 1, 0, 0),
          (acknowledged_at, 0, 1, 0),
          (resolved_at, 0, 0, 1)
        ) AS happened (moment, created, acknowledged, resolved),
        LATERAL took_ms(created_at, moment) AS took
      WHERE moment IS NOT NULL
      GROUP BY 1, 2;
    INSERT INTO correlation_signals (kind, record_id, minute, at, is_done)
      SELECT DISTINCT ON (id, minute) 'alert', id, minute, at, false
      FROM added, LATERAL (VALUES (first_seen_at), (last_seen_at)) AS seen (at),
        LATERAL floor(extract(epoch FROM at) / 60) AS minute
      ORDER BY id, minute, at
      ON CONFLICT DO NOTHING;
    -- One in a few hundred folds, and never two at once, so that folders never wait on each other.
    IF random() < 0.003 * many THEN
      IF pg_try_advisory_xact_lock(hashtext('fold_alert_counts')) THEN
        PERFORM fold_alert_counts();
      END IF;
      IF pg_try_advisory_xact_lock(hashtext('fold_alert_hours')) THEN
        PERFORM fold_alert_hours();
      END IF;
    END IF;
    RETURN NULL;
  END $$;

  DROP TRIGGER alerts_counted ON alerts;
  DROP TRIGGER alerts_hour_counted ON alerts;
  DROP TRIGGER alerts_signalled ON alerts;
  CREATE TRIGGER alerts_followed AFTER INSERT ON alerts REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION follow_new_alerts();
  CREATE TRIGGER alerts_counted AFTER DELETE ON alerts
    FOR EACH ROW EXECUTE FUNCTION count_alert();
  CREATE TRIGGER alerts_hour_counted AFTER DELETE ON alerts
    FOR EACH ROW EXECUTE FUNCTION count_alert_hour();

  CREATE OR REPLACE FUNCTION text_parts(document text) RETURNS text[] IMMUTABLE PARALLEL SAFE
  COST 5000 LANGUAGE plpgsql AS $$
  DECLARE
    letters text[];
    parts text[] := '{}';
  BEGIN
    IF length(document) > 8000 THEN RETURN ARRAY['']; END IF;
    letters := string_to_array(document, NULL);
    -- The index keeps each part once by itself.
    FOR place IN 1 .. cardinality(letters) - 2 LOOP
      parts[place] := letters[place] || letters[place + 1] || letters[place + 2];
    END LOOP;
    RETURN parts;
  END $$;

  CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    allowed audit_log;
  BEGIN
    IF TG_OP = 'UPDATE' AND OLD.seq IS NULL AND NEW.seq IS NOT NULL THEN
      allowed := OLD;
      allowed.seq := NEW.seq;
      allowed.prev_hash := NEW.prev_hash;
      allowed.entry_hash := NEW.entry_hash;
      allowed.details_hash := NEW.details_hash;
      IF NEW *= allowed THEN RETURN NEW; END IF;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.details_hash IS NOT NULL AND OLD.erased_at IS NULL
      AND NEW.erased_at IS NOT NULL THEN
      allowed := OLD;
      allowed.detail := NULL;
      allowed.before := NULL;
      allowed.after := NULL;
      allowed.address := NULL;
      allowed.salt := NULL;
      allowed.erased_at := NEW.erased_at;
      IF NEW *= allowed THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
  END $$;
`)

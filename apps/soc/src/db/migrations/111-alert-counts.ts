import { statement } from './statement.ts'

/**
 * Counting a million rows for every page would cost more than the page. Each change leaves a signed
 * row here, in its own transaction and without a lock on a shared counter, and now and then the rows
 * are folded into one a group: the sum is exact at any moment.
 */
export const alertCounts = statement(`
  CREATE TABLE alert_counts (
    severity text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    amount bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  CREATE FUNCTION fold_alert_counts() RETURNS void LANGUAGE sql AS $$
    WITH folded AS (DELETE FROM alert_counts RETURNING *)
    INSERT INTO alert_counts
    SELECT severity, status, source, sum(amount) FROM folded
    GROUP BY severity, status, source HAVING sum(amount) <> 0
  $$;

  CREATE FUNCTION count_alert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      INSERT INTO alert_counts VALUES (OLD.severity, OLD.status, OLD.source, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO alert_counts VALUES (NEW.severity, NEW.status, NEW.source, 1);
    END IF;
    -- One in a few hundred folds, and never two at once, so that folders never wait on each other.
    IF random() < 0.003 AND pg_try_advisory_xact_lock(hashtext('fold_alert_counts')) THEN
      PERFORM fold_alert_counts();
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER alerts_counted AFTER INSERT OR DELETE ON alerts
    FOR EACH ROW EXECUTE FUNCTION count_alert();
  CREATE TRIGGER alerts_recounted AFTER UPDATE ON alerts FOR EACH ROW
    WHEN ((OLD.severity, OLD.status, OLD.source)
      IS DISTINCT FROM (NEW.severity, NEW.status, NEW.source))
    EXECUTE FUNCTION count_alert();
`)

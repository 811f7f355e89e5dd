import { statement } from './statement.ts'

/**
 * How many alerts came, were taken up and were settled in each hour, and how long that took: the
 * statistics add up hours instead of a million alerts. As with alert_counts, a change leaves a
 * signed row without waiting for anybody; here those are folded into one row an hour, which is
 * never rewritten again once its hour is over.
 */
export const alertHours = statement(`
  ALTER TABLE alerts ADD acknowledged_at timestamptz(3), ADD resolved_at timestamptz(3);

  CREATE TABLE alert_hours (
    hour timestamptz NOT NULL,
    severity text NOT NULL,
    created bigint NOT NULL,
    acknowledged bigint NOT NULL,
    acknowledged_ms bigint NOT NULL,
    resolved bigint NOT NULL,
    resolved_ms bigint NOT NULL,
    PRIMARY KEY (hour, severity)
  );
  CREATE TABLE alert_hour_changes (LIKE alert_hours INCLUDING DEFAULTS)
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  INSERT INTO alert_hours
    SELECT date_trunc('hour', created_at, 'UTC'), severity, count(*), 0, 0, 0, 0
    FROM alerts GROUP BY 1, 2;

  CREATE VIEW alert_activity AS
    SELECT * FROM alert_hours UNION ALL SELECT * FROM alert_hour_changes;

  CREATE FUNCTION fold_alert_hours() RETURNS void LANGUAGE sql AS $$
    WITH folded AS (DELETE FROM alert_hour_changes RETURNING *)
    INSERT INTO alert_hours
    SELECT hour, severity, sum(created), sum(acknowledged), sum(acknowledged_ms),
      sum(resolved), sum(resolved_ms)
    FROM folded GROUP BY hour, severity
    ON CONFLICT (hour, severity) DO UPDATE SET
      created = alert_hours.created + excluded.created,
      acknowledged = alert_hours.acknowledged + excluded.acknowledged,
      acknowledged_ms = alert_hours.acknowledged_ms + excluded.acknowledged_ms,
      resolved = alert_hours.resolved + excluded.resolved,
      resolved_ms = alert_hours.resolved_ms + excluded.resolved_ms
  $$;

  CREATE FUNCTION took_ms(since timestamptz, until timestamptz) RETURNS bigint IMMUTABLE
    RETURN (extract(epoch FROM until - since) * 1000)::bigint;

  -- Suppressing is not taking up: nobody has looked at it.
  CREATE FUNCTION time_alert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.acknowledged_at IS NULL AND NEW.status NOT IN ('new', 'suppressed') THEN
      NEW.acknowledged_at := now();
    END IF;
    IF NEW.status NOT IN ('resolved', 'closed') THEN
      NEW.resolved_at := NULL;
    ELSIF NEW.resolved_at IS NULL THEN
      NEW.resolved_at := now();
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER alerts_timed BEFORE UPDATE OF status ON alerts FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION time_alert();

  -- All that one alert adds to its hours, or takes away again.
  CREATE FUNCTION count_alert_hours(alert alerts, sign integer) RETURNS void LANGUAGE sql AS $$
    INSERT INTO alert_hour_changes
    SELECT date_trunc('hour', moment, 'UTC'), alert.severity,
      sign * created, sign * acknowledged, sign * acknowledged * took,
      sign * resolved, sign * resolved * took
    FROM (VALUES
      (alert.created_at, 1, 0, 0),
      (alert.acknowledged_at, 0, 1, 0),
      (alert.resolved_at, 0, 0, 1)
    ) AS happened (moment, created, acknowledged, resolved),
      LATERAL took_ms(alert.created_at, moment) AS took
    WHERE moment IS NOT NULL
  $$;

  CREATE FUNCTION count_alert_hour() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN PERFORM count_alert_hours(OLD, -1); END IF;
    IF TG_OP <> 'DELETE' THEN PERFORM count_alert_hours(NEW, 1); END IF;
    IF random() < 0.003 AND pg_try_advisory_xact_lock(hashtext('fold_alert_hours')) THEN
      PERFORM fold_alert_hours();
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER alerts_hour_counted AFTER INSERT OR DELETE ON alerts
    FOR EACH ROW EXECUTE FUNCTION count_alert_hour();
  CREATE TRIGGER alerts_hour_changed AFTER UPDATE ON alerts FOR EACH ROW
    WHEN ((OLD.severity, OLD.acknowledged_at, OLD.resolved_at)
      IS DISTINCT FROM (NEW.severity, NEW.acknowledged_at, NEW.resolved_at))
    EXECUTE FUNCTION count_alert_hour();
`)

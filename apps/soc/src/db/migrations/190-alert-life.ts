import { statement } from './statement.ts'

/**
 * What an analyst must know of an alert's life: who took it up and who settled it, and that it came
 * again after that. Taking up is a person's act: a case that a rule opens by itself, or an agent's
 * triage, changes the status and acknowledges nothing.
 */
export const alertLife = statement(`
  ALTER TABLE alerts
    ADD acknowledged_by text,
    ADD closed_by text,
    ADD closed_at timestamptz(3),
    ADD reopened_count integer NOT NULL DEFAULT 0,
    ADD reopened_at timestamptz;

  CREATE OR REPLACE FUNCTION time_alert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.acknowledged_at IS NULL AND NEW.acknowledged_by IS NOT NULL THEN
      NEW.acknowledged_at := now();
    END IF;
    IF NEW.status NOT IN ('resolved', 'closed') THEN
      NEW.resolved_at := NULL;
    ELSIF NEW.resolved_at IS NULL THEN
      NEW.resolved_at := now();
    END IF;
    RETURN NEW;
  END $$;
  DROP TRIGGER alerts_timed ON alerts;
  CREATE TRIGGER alerts_timed BEFORE UPDATE OF status, acknowledged_by ON alerts FOR EACH ROW
    WHEN ((OLD.status, OLD.acknowledged_by) IS DISTINCT FROM (NEW.status, NEW.acknowledged_by))
    EXECUTE FUNCTION time_alert();

  CREATE INDEX detection_hits_alert ON detection_hits (alert_id) WHERE alert_id IS NOT NULL;
`)

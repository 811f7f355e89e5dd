import { statement } from './statement.ts'

/**
 * How far each process has looked at arriving events, and which rules of the starter pack have been
 * installed: one that somebody deleted does not come back. Whoever changes a rule raises its
 * version, the bookkeeping of runs does not; every process hears of it.
 */
export const detectionContent = statement(`
  CREATE TABLE detection_streams (
    stream text PRIMARY KEY,
    received_until timestamptz(3) NOT NULL
  );

  CREATE TABLE detection_starter_rules (
    id text PRIMARY KEY,
    installed_at timestamptz(3) NOT NULL DEFAULT now()
  );

  CREATE FUNCTION tell_rules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('soc_rules', '');
    RETURN NULL;
  END $$;
  CREATE TRIGGER detection_rules_changed
    AFTER INSERT OR DELETE OR UPDATE OF version ON detection_rules
    FOR EACH STATEMENT EXECUTE FUNCTION tell_rules_changed();
`)

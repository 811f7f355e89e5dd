import { statement } from './statement.ts'

/**
 * Alerts, their audit rows and their events are one statement (ADR 114). To open again what was
 * settled takes more: the statement calls this then, and the service goes step by step instead.
 */
export const alertsAtOnce = statement(`
  CREATE FUNCTION refuse_reopening() RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'an alert that was settled is not opened again by one statement'
      USING ERRCODE = 'SO268';
  END $$;
`)

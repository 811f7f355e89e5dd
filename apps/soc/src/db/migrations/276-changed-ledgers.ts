import { statement } from './statement.ts'

/**
 * Which transaction a ledger last grew in, so that whoever signs the ends of ledgers reads those
 * that grew and not all. Beside it, which cases an execution names in what it was given and did: it
 * is shown to those who may read them. Of executions from before it is what their texts name.
 */
export const changedLedgers = statement(`
  ALTER TABLE cases ADD ledger_xid xid8;
  CREATE INDEX cases_ledger_xid ON cases (ledger_xid) WHERE ledger_xid IS NOT NULL;
  CREATE FUNCTION mark_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.ledger_xid := pg_current_xact_id();
    RETURN NEW;
  END $$;
  CREATE TRIGGER cases_ledger_changed BEFORE UPDATE OF ledger_length, ledger_head ON cases
    FOR EACH ROW WHEN (NEW.ledger_head <> OLD.ledger_head OR NEW.ledger_length <> OLD.ledger_length)
    EXECUTE FUNCTION mark_ledger();

  ALTER TABLE executions ADD cases_named uuid[] NOT NULL DEFAULT '{}';
  CREATE FUNCTION cases_in(said text) RETURNS uuid[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT id FROM cases WHERE id IN (SELECT found[1]::uuid FROM
      regexp_matches(said, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') AS found))
  $$;
  UPDATE executions SET cases_named = cases_in(concat(parameters, plan,
    (SELECT string_agg(concat(input, output), ' ') FROM execution_steps
      WHERE execution_id = executions.id)));
  DROP FUNCTION cases_in(text);
`)

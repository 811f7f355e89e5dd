import { statement } from './statement.ts'

/** Only grows, whoever writes. The time is text: the very characters the hash was made over. */
export const evidenceLedger = statement(`
  CREATE TABLE evidence (
    id uuid PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES cases,
    name text NOT NULL,
    evidence_type text NOT NULL,
    storage_url text,
    sha256 text NOT NULL,
    location text,
    registered_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX evidence_by_case ON evidence (case_id, created_at);

  CREATE TABLE evidence_ledger (
    case_id uuid NOT NULL REFERENCES cases,
    seq integer NOT NULL,
    evidence_id uuid NOT NULL REFERENCES evidence,
    action text NOT NULL,
    actor text NOT NULL,
    timestamp text NOT NULL,
    details jsonb NOT NULL,
    prev_hash text NOT NULL,
    entry_hash text NOT NULL,
    PRIMARY KEY (case_id, seq)
  );

  CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% on % is refused: the evidence ledger only grows', TG_OP, TG_TABLE_NAME;
  END $$;
  CREATE TRIGGER evidence_ledger_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE
    ON evidence_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
  CREATE TRIGGER evidence_stays BEFORE DELETE OR TRUNCATE
    ON evidence FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
`)

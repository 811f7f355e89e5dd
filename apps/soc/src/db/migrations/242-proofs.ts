import { statement } from './statement.ts'

/**
 * Entries commit to their details by a salted hash, so that these can be erased and the chain still
 * holds; those from before keep their plain hash. The service has no right to change an entry: it
 * seals and erases through functions of the owner, which can do nothing else.
 */
export const proofs = statement(`
  ALTER TABLE audit_log ADD salt text, ADD details_hash text, ADD erased_at timestamptz(3);
  ALTER TABLE audit_log ALTER salt SET DEFAULT replace(gen_random_uuid()::text, '-', '');
  ALTER TABLE audit_head ADD frontier jsonb;
  UPDATE audit_head SET frontier = '[]' WHERE seq = 0;

  CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    seal text[] := '{seq,prev_hash,entry_hash,details_hash}';
    details text[] := '{detail,before,after,address,salt,erased_at}';
  BEGIN
    IF TG_OP = 'UPDATE' AND OLD.seq IS NULL AND NEW.seq IS NOT NULL
      AND to_jsonb(NEW) - seal = to_jsonb(OLD) - seal THEN
      RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.details_hash IS NOT NULL AND OLD.erased_at IS NULL
      AND NEW.erased_at IS NOT NULL AND to_jsonb(NEW) - details = to_jsonb(OLD) - details
      AND num_nonnulls(NEW.detail, NEW.before, NEW.after, NEW.address, NEW.salt) = 0 THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
  END $$;

  CREATE FUNCTION seal_audit_entries(seals jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE audit_log SET seq = seal.seq, prev_hash = seal.prev_hash,
      entry_hash = seal.entry_hash, details_hash = seal.details_hash
    FROM jsonb_to_recordset(seals)
      AS seal(id bigint, seq bigint, prev_hash text, entry_hash text, details_hash text)
    WHERE audit_log.id = seal.id
  $$;
  CREATE FUNCTION erase_audit_details(entry bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE audit_log SET detail = NULL, before = NULL, after = NULL, address = NULL, salt = NULL,
      erased_at = now()
    WHERE id = entry
  $$;

  ALTER TABLE evidence_ledger ADD salt text, ADD details_hash text, ADD erased_at timestamptz(3);
  DROP TRIGGER evidence_ledger_only_grows ON evidence_ledger;
  CREATE TRIGGER evidence_ledger_only_grows BEFORE DELETE OR TRUNCATE
    ON evidence_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
  CREATE FUNCTION refuse_ledger_edit() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    details text[] := '{details,salt,erased_at}';
  BEGIN
    IF OLD.details_hash IS NOT NULL AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
      AND to_jsonb(NEW) - details = to_jsonb(OLD) - details
      AND NEW.details = '{}' AND NEW.salt IS NULL THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'UPDATE on evidence_ledger is refused: the evidence ledger only grows';
  END $$;
  CREATE TRIGGER evidence_ledger_no_edit BEFORE UPDATE
    ON evidence_ledger FOR EACH ROW EXECUTE FUNCTION refuse_ledger_edit();
  CREATE FUNCTION erase_ledger_details(chain uuid, entry integer) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE evidence_ledger SET details = '{}', salt = NULL, erased_at = now()
      WHERE case_id = chain AND seq = entry;
    UPDATE evidence SET name = '[erased]', storage_url = NULL, location = NULL
      WHERE id = (SELECT evidence_id FROM evidence_ledger
        WHERE case_id = chain AND seq = entry AND action = 'registered')
  $$;
`)

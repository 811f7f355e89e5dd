import { statement } from './statement.ts'

/**
 * Which user of the name it was: a name can be given again. Entries from before have none, and their
 * hashes are over what they have.
 */
export const auditActorId = statement(`
  ALTER TABLE audit_log ADD COLUMN actor_id uuid;
  CREATE FUNCTION remember_actor_id() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.actor_id := (SELECT id FROM users
      WHERE username = NEW.actor AND NEW.actor_kind IN ('user', 'api_key'));
    RETURN NEW;
  END $$;
  CREATE TRIGGER audit_remember_actor BEFORE INSERT ON audit_log
    FOR EACH ROW EXECUTE FUNCTION remember_actor_id();
`)

import { statement } from './statement.ts'

/**
 * Who reads a case: the team, or only whom `access` names. People are kept by their ids as well,
 * since a name can be given again; the ids of 250 are there by the time these functions run.
 */
export const caseAccess = statement(`
  ALTER TABLE cases
    ADD access jsonb NOT NULL DEFAULT '{"mode": "team", "users": [], "roles": []}',
    ADD access_user_ids uuid[] NOT NULL DEFAULT '{}',
    ADD tlp text NOT NULL DEFAULT 'green'
      CHECK (tlp IN ('clear', 'green', 'amber', 'amber+strict', 'red'));
  CREATE INDEX cases_restricted ON cases (id)
    WHERE access->>'mode' <> 'team' OR tlp IN ('amber+strict', 'red');

  CREATE FUNCTION remember_access_ids() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.access_user_ids := ARRAY(SELECT id FROM users
      WHERE username IN (SELECT jsonb_array_elements_text(NEW.access->'users')));
    RETURN NEW;
  END $$;
  CREATE TRIGGER cases_access_ids BEFORE INSERT OR UPDATE OF access ON cases
    FOR EACH ROW EXECUTE FUNCTION remember_access_ids();

  CREATE FUNCTION case_is_readable(c cases, reader_id uuid, reader text, reader_role text)
    RETURNS boolean STABLE LANGUAGE plpgsql AS $$
  BEGIN
    RETURN reader_role = 'admin'
      OR (c.access->>'mode' = 'team' AND c.tlp NOT IN ('amber+strict', 'red'))
      OR c.created_by_id = reader_id
      OR c.assignee = reader
      OR reader_id = ANY(c.access_user_ids)
      OR (c.tlp <> 'red' AND c.access->'roles' ? reader_role);
  END $$;
`)

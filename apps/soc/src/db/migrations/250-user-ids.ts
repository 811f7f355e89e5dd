import { statement } from './statement.ts'

type Owned = { table: string; name: 'created_by' | 'requested_by' | 'decided_by' }

const OWNED: Owned[] = [
  { table: 'cases', name: 'created_by' },
  { table: 'hunts', name: 'created_by' },
  { table: 'detection_rules', name: 'created_by' },
  { table: 'detection_feedback', name: 'created_by' },
  { table: 'reports', name: 'created_by' },
  { table: 'approvals', name: 'requested_by' },
  { table: 'approvals', name: 'decided_by' },
  { table: 'executions', name: 'requested_by' },
]

/**
 * A name can be given again, an id cannot. Records keep the name, which people read, and beside it
 * the id of the user who had it when it was written: that one owns them. A record that is older
 * than the user of its name was a former user's: it stays without an id, and nobody inherits it.
 */
export const userIds = statement(`
  ALTER TABLE users ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
  CREATE UNIQUE INDEX users_by_id ON users (id);

  ${(['created_by', 'requested_by', 'decided_by'] as const).map(rememberer).join('\n')}
  ${OWNED.map(addId).join('\n')}
  CREATE INDEX hunts_by_maker ON hunts (created_by_id);
  CREATE INDEX approvals_by_requester ON approvals (requested_by_id);
`)

function rememberer(name: Owned['name']) {
  return `
  CREATE FUNCTION remember_${name}_id() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.${name}_id := (SELECT id FROM users WHERE username = NEW.${name});
    RETURN NEW;
  END $$;`
}

function addId({ table, name }: Owned) {
  const when = name === 'decided_by' ? 'decided_at' : 'created_at'
  return `
  ALTER TABLE ${table} ADD COLUMN ${name}_id uuid;
  UPDATE ${table} SET ${name}_id = users.id FROM users
    WHERE users.username = ${table}.${name} AND ${table}.${when} >= users.created_at;
  CREATE TRIGGER ${table}_remember_${name} BEFORE INSERT OR UPDATE OF ${name} ON ${table}
    FOR EACH ROW EXECUTE FUNCTION remember_${name}_id();`
}

import { statement } from './statement.ts'

/** Values are sealed with the key file: the database never sees one, nor do its backups and logs. */
export const secrets = statement(`
  CREATE TABLE secrets (
    name text PRIMARY KEY,
    sealed_value text NOT NULL CHECK (sealed_value LIKE 'sealed-1.%'),
    description text,
    hosts text[] NOT NULL,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_by text NOT NULL
  );
`)

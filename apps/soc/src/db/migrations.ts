import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const statement = (text: string): Migration => ({
  up: (db: Kysely<unknown>) => sql.raw(text).execute(db).then(),
})

/** Applied in order of their names, each once. Append; never edit one that has shipped. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-users': statement(`
    CREATE TABLE users (
      username text PRIMARY KEY,
      password_hash text NOT NULL,
      role text NOT NULL,
      full_name text,
      email text,
      disabled boolean NOT NULL DEFAULT false,
      tokens_valid_from timestamptz NOT NULL DEFAULT now(),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`),
}

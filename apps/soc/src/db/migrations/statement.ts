import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that is plain SQL, several statements if need be; Kysely runs it in a transaction. */
export const statement = (text: string): Migration => ({
  up: (db: Kysely<unknown>) => sql.raw(text).execute(db).then(),
})

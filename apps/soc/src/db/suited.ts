import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

const OLDEST_MAJOR = 15

type Server = { version: string; major: number; encoding: string; is_new: boolean }

/** Throws what is wrong with a server that is too old, or with a new database that cannot hold every letter. */
export async function refuseUnsuited(kysely: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<Server>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int / 10000 AS major,
      current_setting('server_encoding') AS encoding,
      to_regclass('kysely_migration') IS NULL AS is_new`.execute(kysely)
  const problem = rows[0] && unsuited(rows[0])
  if (problem) throw new Error(problem)
}

export function unsuited({ version, major, encoding, is_new }: Server): string | undefined {
  if (major < OLDEST_MAJOR) {
    return `the server is PostgreSQL ${version}: it must be ${OLDEST_MAJOR} or newer`
  }
  // One that is in use already goes on as it is.
  if (is_new && encoding !== 'UTF8') {
    return `the encoding of the database is ${encoding}: create it with ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`
  }
  return undefined
}

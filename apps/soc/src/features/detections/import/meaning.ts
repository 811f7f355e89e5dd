import { sql } from 'kysely'

const PARTS = ['kind', 'query', 'threshold', 'new_terms', 'sequence']

/** What a rule of the table finds, in short: another one once somebody has changed that. */
export const meaningOf = (table: 'given' | 'rule') =>
  sql<string>`md5(jsonb_build_array(${sql.join(PARTS.map((name) => sql.ref(`${table}.${name}`)))})::text)`

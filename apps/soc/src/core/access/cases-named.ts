import { type RawBuilder, sql } from 'kysely'
import { idsIn, isHidden } from './reader.ts'

/** What may be a case in these, of those that whoever runs this may read. */
export const seenIn = (parts: unknown[]): string[] =>
  idsIn(JSON.stringify(parts)).filter((id) => !isHidden(id))

/**
 * The cases that a record names: what it tells is theirs. One that is hidden from whoever writes it
 * does not count: nothing of that can be in there, and to hide what merely names it would tell that
 * there is one.
 */
export const namedIn = (...parts: unknown[]): RawBuilder<string[]> =>
  sql`ARRAY(SELECT id FROM cases WHERE id = ANY(${seenIn(parts)}::uuid[]))`

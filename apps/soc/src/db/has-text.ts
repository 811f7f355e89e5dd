import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a text is part of another, in letters of either case. Of LIKE the planner expects few
 * matches, so it has all cores look for them; of a function it expects a third of all.
 */
export const hasText = (text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql`lower(${text}) LIKE lower(${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`})`

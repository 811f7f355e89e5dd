import { sql } from 'kysely'

/** A name is the same user's in any letter case: no two differ in that alone. */
export const isNamed = (username: string) => sql<boolean>`lower(username) = lower(${username})`

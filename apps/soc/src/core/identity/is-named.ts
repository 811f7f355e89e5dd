import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

/** A name is the same user's in any letter case: no two differ in that alone. */
export const isNamed = (username: string) => sql<boolean>`lower(username) = lower(${username})`

/** What is stored under that name: as its user spells it, and as it was asked for. */
export const spellingsOf = async (db: Kysely<Tables>, name: string): Promise<string[]> => [
  ...new Set([await ownSpelling(db, name), name]),
]

/** As the user of that name spells it; somebody who is no user stays as they were named. */
export async function ownSpelling(db: Kysely<Tables>, name: string): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('username')
    .where(isNamed(name))
    .executeTakeFirst()
  return user?.username ?? name
}

/** What is to be stored, with its assignee as that user spells the name; an empty one is nobody. */
export const withOwnSpelling = async <T extends { assignee?: string | null | undefined }>(
  db: Kysely<Tables>,
  fields: T,
): Promise<T> => {
  if (fields.assignee === '') return { ...fields, assignee: null }
  return fields.assignee ? { ...fields, assignee: await ownSpelling(db, fields.assignee) } : fields
}

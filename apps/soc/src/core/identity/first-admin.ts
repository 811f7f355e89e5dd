import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { hashPassword } from './passwords.ts'

/**
 * On a database without users, makes `admin`. Answers the password if it was generated: this is the
 * only moment it is known. Of several processes that start at once, one makes the user.
 */
export async function createFirstAdmin(
  db: Kysely<Tables>,
  configured: string | undefined,
): Promise<string | undefined> {
  const { isEmpty } = await db
    .selectNoFrom(sql<boolean>`NOT EXISTS (SELECT FROM users)`.as('isEmpty'))
    .executeTakeFirstOrThrow()
  if (!isEmpty) return undefined
  const password = configured ?? randomBytes(15).toString('base64url')
  const made = await db
    .insertInto('users')
    .values({ username: 'admin', password_hash: await hashPassword(password), role: 'admin' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('username')
    .executeTakeFirst()
  return made && !configured ? password : undefined
}

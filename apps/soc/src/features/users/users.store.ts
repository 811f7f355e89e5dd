import { notFound } from '@manara/kit/errors'
import { Role } from '@manara/soc-contract/permissions'
import type { User } from '@manara/soc-contract/users'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { isNamed } from '../../core/identity/is-named.ts'
import type { Tables } from '../../db/tables.ts'

export type UserRow = Selectable<Tables['users']>

export function toUser(row: Omit<UserRow, 'password_hash' | 'session_stamp' | 'kept_jti'>): User {
  return {
    id: row.id,
    username: row.username,
    role: Role.parse(row.role),
    full_name: row.full_name,
    email: row.email,
    disabled: row.disabled,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export async function findUser(db: Kysely<Tables>, username: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where(isNamed(username)).executeTakeFirst()
}

/** Held until the transaction ends: nobody else changes this user meanwhile. */
export async function lockUser(tx: Transaction<Tables>, username: string): Promise<UserRow> {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where(isNamed(username))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('user', username)
  return row
}

/** Locks all of them, in order: two admins who demote each other at once cannot both succeed. */
export async function lockAdmins(tx: Transaction<Tables>): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('username')
    .where('role', '=', 'admin')
    .where('disabled', '=', false)
    .orderBy('username')
    .forUpdate()
    .execute()
  return rows.map((row) => row.username)
}

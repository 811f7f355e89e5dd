import { conflict } from '@manara/kit/errors'
import type { User, UserUpdate } from '@manara/soc-contract/users'
import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { recordRemoved, recordUpdate } from '../../core/identity/account-changes.ts'
import { hashPassword } from '../../core/identity/passwords.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { lockAdmins, lockUser, toUser, type UserRow } from './users.store.ts'

/** A new role, a new password or being disabled voids every token the user holds. */
export async function updateUser(
  change: ChangeContext,
  name: string,
  { password, ...wanted }: UserUpdate,
): Promise<User> {
  const { tx } = change
  const admins = await lockAdmins(tx)
  const before = await lockUser(tx, name)
  const { username } = before
  if (password !== undefined) refuseWeakPassword('password', password, before)
  const isAdminAfter = (wanted.role ?? before.role) === 'admin' && !wanted.disabled
  if (!isAdminAfter) keepOneAdmin(admins, username)

  const row = await tx
    .updateTable('users')
    .set({
      ...wanted,
      ...(password === undefined ? {} : { password_hash: await hashPassword(password) }),
      ...(isSignedOut(before, wanted, password)
        ? { session_stamp: sql<string>`gen_random_uuid()`, kept_jti: null }
        : {}),
      updated_at: sql<Date>`now()`,
    })
    .where('username', '=', username)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordUpdate(change, { before, after: row, hasNewPassword: password !== undefined })
  const user = toUser(row)
  await change.audit({
    action: password === undefined ? 'user.update' : 'user.update_with_password',
    target: `user:${username}`,
    before: toUser(before),
    after: user,
  })
  return user
}

export async function deleteUser(change: ChangeContext, name: string) {
  const admins = await lockAdmins(change.tx)
  const before = await lockUser(change.tx, name)
  const { username } = before
  keepOneAdmin(admins, username)
  await recordRemoved(change, before)
  await change.tx.deleteFrom('users').where('username', '=', username).execute()
  await change.audit({
    action: 'user.delete',
    target: `user:${username}`,
    before: toUser(before),
  })
  return { deleted: true as const, id: username }
}

function keepOneAdmin(admins: string[], username: string) {
  if (admins.length === 1 && admins[0] === username) {
    throw conflict(`${username} is the last admin: make another one first`)
  }
}

function isSignedOut(before: UserRow, wanted: UserUpdate, password: string | undefined): boolean {
  return (
    password !== undefined ||
    (wanted.role !== undefined && wanted.role !== before.role) ||
    (wanted.disabled !== undefined && wanted.disabled !== before.disabled)
  )
}

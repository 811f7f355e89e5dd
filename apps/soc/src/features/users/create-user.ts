import { conflict } from '@manara/kit/errors'
import type { User, UserCreate } from '@manara/soc-contract/users'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { recordCreated } from '../../core/identity/account-changes.ts'
import { hashPassword } from '../../core/identity/passwords.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { toUser } from './users.store.ts'

export async function createUser(change: ChangeContext, wanted: UserCreate): Promise<User> {
  refuseWeakPassword('password', wanted.password, wanted)
  const row = await change.tx
    .insertInto('users')
    .values({
      username: wanted.username,
      password_hash: await hashPassword(wanted.password),
      role: wanted.role,
      full_name: wanted.full_name ?? null,
      email: wanted.email ?? null,
    })
    // No target: the same name in another spelling is taken as well.
    .onConflict((taken) => taken.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict(`user ${wanted.username} exists already`)
  await recordCreated(change, row)
  const user = toUser(row)
  await change.audit({ action: 'user.create', target: `user:${user.username}`, after: user })
  return user
}

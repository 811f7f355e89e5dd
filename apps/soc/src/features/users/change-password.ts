import { invalid } from '@manara/kit/errors'
import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { refuseEnded } from '../../core/identity/identity-store.ts'
import { hashPassword } from '../../core/identity/passwords.ts'
import type { Session } from '../../core/identity/principal.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { lockUser } from './users.store.ts'

/** Signs out everywhere but here: the session that changed it goes on. */
export async function changePassword(
  change: ChangeContext,
  session: Session,
  wanted: { current_password: string; new_password: string },
) {
  const { username } = change.principal
  const user = await lockUser(change.tx, username)
  refuseEnded(user, session)
  if (wanted.new_password === wanted.current_password) {
    throw invalid('new_password', 'must differ from the current one')
  }
  refuseWeakPassword('new_password', wanted.new_password, user)
  await change.tx
    .updateTable('users')
    .set({
      password_hash: await hashPassword(wanted.new_password),
      session_stamp: sql<string>`gen_random_uuid()`,
      kept_jti: session.id,
      updated_at: sql<Date>`now()`,
    })
    .where('username', '=', username)
    .execute()
  await change.audit({ action: 'user.change_password', target: `user:${username}` })
  return { username, changed: true as const }
}

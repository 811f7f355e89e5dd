import { invalid } from '@manara/kit/errors'
import type { Kysely } from 'kysely'
import { isPassword } from '../../core/identity/passwords.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { ownPasswordLanes } from '../../core/identity/sign-in-lanes.ts'
import type { SignInThrottle } from '../../core/identity/sign-in-throttle.ts'
import type { Tables } from '../../db/tables.ts'
import { findUser } from './users.store.ts'

/** Before the change and outside its transaction: a wrong guess counts although nothing is changed. */
export async function checkOwnPassword(
  { db, throttle }: { db: Kysely<Tables>; throttle: SignInThrottle },
  { id, username }: Principal,
  password: string,
): Promise<void> {
  const isRight = await throttle.attempt(ownPasswordLanes(id ?? username), async () =>
    isPassword((await findUser(db, username))?.password_hash, password, `user ${username}`),
  )
  if (!isRight) throw invalid('current_password', 'is wrong')
}

import { AppError, notFound } from '@manara/kit/errors'
import type { Transaction } from 'kysely'
import { refuseEnded } from '../../../core/identity/identity-store.ts'
import type { Session } from '../../../core/identity/principal.ts'
import { factorsOf, hasAny } from '../../../core/identity/second-factors.ts'
import type { Tables } from '../../../db/tables.ts'
import { takeProof } from '../proof/proof.ts'

/** The user, held until the transaction ends: of two who add the first factor one is the first. */
export async function lockOwner(tx: Transaction<Tables>, session: Session) {
  const { principal } = session
  const user = await tx
    .selectFrom('users')
    .select(['id', 'username', 'full_name', 'role', 'disabled', 'session_stamp', 'kept_jti'])
    .where('username', '=', principal.username)
    .forUpdate()
    .executeTakeFirst()
  if (!user || user.id !== principal.id) throw notFound('user', principal.username)
  refuseEnded(user, session)
  return user
}

/**
 * Adding a factor takes a proof. Who must enrol has just signed in and can do nothing else, which
 * is one; but only for a first factor, or a stolen password would add itself beside it.
 */
export async function mayEnrol(tx: Transaction<Tables>, session: Session) {
  const user = await lockOwner(tx, session)
  if (!session.isEnrolling) await takeProof(tx, session)
  else if (hasAny(await factorsOf(tx, user.id))) {
    throw new AppError(403, 'a second factor is enrolled by now: sign in with it')
  }
  return user
}

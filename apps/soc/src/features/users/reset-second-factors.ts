import { conflict } from '@manara/kit/errors'
import { sql, type Transaction } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { recordTaken } from '../../core/identity/account-changes.ts'
import type { Session } from '../../core/identity/principal.ts'
import { factorsOf, removeAllFactors } from '../../core/identity/second-factors.ts'
import type { Tables } from '../../db/tables.ts'
import { lockUser } from './users.store.ts'

/** Uses up the proof that the session's owner has just given; 409 without one. */
export type TakeProof = (tx: Transaction<Tables>, session: Session) => Promise<void>

/** For who has lost theirs. Everybody is signed out of the account, and the audit log says who did it. */
export async function resetSecondFactors(
  takeProof: TakeProof,
  change: ChangeContext,
  session: Session,
  name: string,
) {
  const { tx } = change
  const user = await lockUser(tx, name)
  if (user.id === session.principal.id) {
    throw conflict('these are your own: remove them under /auth/second-factors')
  }
  await takeProof(tx, session)
  await recordTaken(change, user)
  const before = await factorsOf(tx, user.id)
  await removeAllFactors(tx, user.id)
  await tx
    .updateTable('users')
    .set({ session_stamp: sql<string>`gen_random_uuid()`, kept_jti: null })
    .where('id', '=', user.id)
    .execute()
  await change.audit({
    action: 'user.reset_second_factors',
    target: `user:${user.username}`,
    before,
  })
  return { deleted: true as const, id: user.username }
}

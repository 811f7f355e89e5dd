import { conflict, notFound } from '@manara/kit/errors'
import type { Role } from '@manara/soc-contract/permissions'
import type { Transaction } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { replaceRecoveryCodes } from '../../../core/identity/one-time-codes.ts'
import type { Session } from '../../../core/identity/principal.ts'
import {
  factorsOf,
  hasAny,
  removeAllFactors,
  rolesThatNeedOne,
} from '../../../core/identity/second-factors.ts'
import type { Tables } from '../../../db/tables.ts'
import { takeProof } from '../proof/proof.ts'
import { signOutOthers } from './added-factor.ts'
import { lockOwner } from './may-enrol.ts'

type What = { kind: 'totp' } | { kind: 'passkey'; id: string }

/** With a proof; never the last one where the role needs one. */
export async function removeFactor(change: ChangeContext, session: Session, what: What) {
  const { tx } = change
  const user = await lockOwner(tx, session)
  await takeProof(tx, session)
  const isThere = await remove(tx, user.id, what)
  if (!isThere) throw notFound('second factor', what.kind === 'totp' ? 'totp' : what.id)
  if (!hasAny(await factorsOf(tx, user.id))) {
    if ((await rolesThatNeedOne(tx)).includes(user.role as Role)) {
      throw conflict('your role needs a second factor: add another one first')
    }
    await removeAllFactors(tx, user.id)
  }
  await signOutOthers(change, session)
  await change.audit({
    action: 'user.remove_second_factor',
    target: `user:${user.username}`,
    before: what,
  })
  return { removed: true as const }
}

export async function renewRecoveryCodes(change: ChangeContext, session: Session) {
  const user = await lockOwner(change.tx, session)
  await takeProof(change.tx, session)
  if (!hasAny(await factorsOf(change.tx, user.id))) {
    throw conflict('recovery codes come with a second factor: add one first')
  }
  await change.audit({ action: 'user.renew_recovery_codes', target: `user:${user.username}` })
  return { recovery_codes: await replaceRecoveryCodes(change.tx, user.id) }
}

async function remove(tx: Transaction<Tables>, userId: string, what: What): Promise<boolean> {
  const removed =
    what.kind === 'totp'
      ? tx.deleteFrom('totp_seeds').where('user_id', '=', userId)
      : tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', what.id)
  const { numDeletedRows } = await removed.executeTakeFirst()
  return numDeletedRows > 0n
}

import { Role } from '@manara/soc-contract/permissions'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { replaceRecoveryCodes } from '../../../core/identity/one-time-codes.ts'
import type { Session } from '../../../core/identity/principal.ts'
import { factorsOf } from '../../../core/identity/second-factors.ts'
import type { TokenOwner } from '../../../core/identity/tokens.ts'
import { lockOwner } from './may-enrol.ts'

/**
 * After a factor was stored: recovery codes if it is the first, and everybody else out, whoever
 * signed in with the password alone. This session stays; one that was only for enrolling is
 * followed by a whole one, for `owner`.
 */
export async function addedFactor(
  change: ChangeContext,
  session: Session,
  factor: { kind: 'totp' | 'passkey'; name?: string },
) {
  const { tx } = change
  const user = await lockOwner(tx, session)
  const { hasTotp, passkeys } = await factorsOf(tx, user.id)
  const isFirst = Number(hasTotp) + passkeys === 1
  const recovery_codes = isFirst ? await replaceRecoveryCodes(tx, user.id) : null
  const owner = await signOutOthers(change, session)
  await change.audit({
    action: 'user.add_second_factor',
    target: `user:${user.username}`,
    after: factor,
  })
  return { recovery_codes, owner: session.isEnrolling ? owner : undefined }
}

export async function signOutOthers({ tx }: ChangeContext, session: Session): Promise<TokenOwner> {
  const row = await tx
    .updateTable('users')
    .set({
      session_stamp: sql<string>`gen_random_uuid()`,
      kept_jti: session.isEnrolling ? null : session.id,
      updated_at: sql<Date>`now()`,
    })
    .where('username', '=', session.principal.username)
    .returning(['id', 'username', 'role', 'session_stamp'])
    .executeTakeFirstOrThrow()
  return { ...row, role: Role.parse(row.role) }
}

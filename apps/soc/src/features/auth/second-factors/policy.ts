import { conflict } from '@manara/kit/errors'
import type { SignInPolicy } from '@manara/soc-contract/auth'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { Session } from '../../../core/identity/principal.ts'
import { factorsOf, hasAny, rolesThatNeedOne } from '../../../core/identity/second-factors.ts'
import type { Tables } from '../../../db/tables.ts'
import { takeProof } from '../proof/proof.ts'

export async function readPolicy(db: Kysely<Tables>): Promise<SignInPolicy> {
  return { second_factor_roles: await rolesThatNeedOne(db) }
}

/** Who now needs a factor and has none is signed out; the next sign-in is for enrolling it. */
export async function setPolicy(
  change: ChangeContext,
  session: Session,
  wanted: SignInPolicy,
): Promise<SignInPolicy> {
  const { tx, principal } = change
  await takeProof(tx, session)
  const roles: string[] = wanted.second_factor_roles
  if (roles.includes(principal.role) && !hasAny(await factorsOf(tx, principal.id ?? ''))) {
    throw conflict('your own role is among them: add a second factor to your account first')
  }
  const before = await readPolicy(tx)
  await tx.updateTable('sign_in_policy').set({ second_factor_roles: roles }).execute()
  await sql`
    UPDATE users SET session_stamp = gen_random_uuid(), kept_jti = NULL
    WHERE role = ANY(${roles}) AND NOT EXISTS (SELECT FROM totp_seeds WHERE user_id = users.id)
      AND NOT EXISTS (SELECT FROM passkeys WHERE user_id = users.id)`.execute(tx)
  await change.audit({
    action: 'sign_in_policy.update',
    target: 'sign_in_policy',
    before,
    after: wanted,
  })
  return wanted
}

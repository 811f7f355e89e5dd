import { conflict, invalid } from '@manara/kit/errors'
import type { ProofBody } from '@manara/soc-contract/auth'
import { type Kysely, sql } from 'kysely'
import { isPassword } from '../../../core/identity/passwords.ts'
import type { Session } from '../../../core/identity/principal.ts'
import { factorsOf } from '../../../core/identity/second-factors.ts'
import { ownPasswordLanes } from '../../../core/identity/sign-in-lanes.ts'
import type { Tables } from '../../../db/tables.ts'
import { type CheckCodeDeps, checkCode } from '../check-code.ts'
import type { PasskeyAnswer, RelyingParty } from '../passkeys/relying-party.ts'
import { verifyPasskey } from '../passkeys/verify-passkey.ts'

export const PROOF_LIFE_S = 300

/**
 * A stolen session must not take a factor away or add its thief's: its owner shows again who they
 * are, with all that signing in would ask for, and may then make one such change in this session.
 */
export async function prove(
  deps: CheckCodeDeps,
  session: Session,
  party: () => RelyingParty,
  body: ProofBody,
): Promise<void> {
  const db = deps.database.kysely
  const { password = '', otp, passkey } = body
  if (passkey) await provePasskey(db, session, party(), passkey)
  else await provePassword(deps, session, { password, otp })
  await recordProof(db, session.id)
}

export async function recordProof(db: Kysely<Tables>, jti: string): Promise<void> {
  const expires_at = sql<Date>`now() + ${PROOF_LIFE_S} * interval '1 second'`
  await db.deleteFrom('session_proofs').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .insertInto('session_proofs')
    .values({ jti, expires_at })
    .onConflict((again) => again.column('jti').doUpdateSet({ expires_at }))
    .execute()
}

/** Uses it up in the transaction of the change that needs it. */
export async function takeProof(tx: Kysely<Tables>, { id }: Session): Promise<void> {
  const proof = await tx
    .deleteFrom('session_proofs')
    .where('jti', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('jti')
    .executeTakeFirst()
  if (!proof) throw conflict('prove that it is you first: POST /api/v1/auth/proof')
}

async function provePassword(
  deps: CheckCodeDeps,
  { principal }: Session,
  { password, otp }: { password: string; otp?: string | undefined },
) {
  const db = deps.database.kysely
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash'])
    .where('username', '=', principal.username)
    .executeTakeFirst()
  const factors = user && (await factorsOf(db, user.id))
  if (factors?.hasTotp && otp === undefined) {
    throw invalid('otp', 'is needed too: the code of your app, or a recovery code')
  }
  const needsCode = factors !== undefined && (factors.hasTotp || factors.passkeys > 0)
  if (needsCode && otp === undefined) {
    throw invalid('passkey', 'is needed: your password alone does not sign you in')
  }
  const isRight = await deps.throttle.attempt(
    ownPasswordLanes(principal.id ?? principal.username),
    async () => {
      if (!(await isPassword(user?.password_hash, password, `user ${user?.id}`)) || !user)
        return false
      return !needsCode || (await checkCode(deps, user, otp ?? ''))
    },
  )
  if (!isRight) throw invalid('password', needsCode ? 'or code is wrong' : 'is wrong')
}

async function provePasskey(
  db: Kysely<Tables>,
  { principal }: Session,
  party: RelyingParty,
  answer: PasskeyAnswer,
) {
  const userId = await verifyPasskey(db, party, answer)
  if (userId === undefined || userId !== principal.id) {
    throw invalid('passkey', 'is not one of yours, or its answer is wrong: try again')
  }
}

import type { Role } from '@manara/soc-contract/permissions'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type Factors = { hasTotp: boolean; passkeys: number; recoveryCodes: number }

export async function factorsOf(db: Kysely<Tables>, userId: string): Promise<Factors> {
  const { rows } = await sql<Factors>`
    SELECT
      EXISTS (SELECT FROM totp_seeds WHERE user_id = ${userId}) AS "hasTotp",
      (SELECT count(*)::int FROM passkeys WHERE user_id = ${userId}) AS passkeys,
      (SELECT count(*)::int FROM recovery_codes WHERE user_id = ${userId}) AS "recoveryCodes"
  `.execute(db)
  return rows[0] ?? { hasTotp: false, passkeys: 0, recoveryCodes: 0 }
}

export const hasAny = ({ hasTotp, passkeys }: Factors) => hasTotp || passkeys > 0

export async function rolesThatNeedOne(db: Kysely<Tables>): Promise<Role[]> {
  const { second_factor_roles } = await db
    .selectFrom('sign_in_policy')
    .select('second_factor_roles')
    .executeTakeFirstOrThrow()
  return second_factor_roles as Role[]
}

/** All of them: the next sign-in needs the password alone, or enrolment where the role asks for it. */
export async function removeAllFactors(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom('totp_seeds').where('user_id', '=', userId).execute()
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

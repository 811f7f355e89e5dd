import type { SecondFactors } from '@manara/soc-contract/auth'
import type { Kysely } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { factorsOf, rolesThatNeedOne } from '../../../core/identity/second-factors.ts'
import type { Tables } from '../../../db/tables.ts'

export async function listFactors(
  db: Kysely<Tables>,
  { id, role }: Principal,
): Promise<SecondFactors> {
  const is_required = (await rolesThatNeedOne(db)).includes(role)
  if (!id) return { totp: null, passkeys: [], recovery_codes_left: 0, is_required }
  const { recoveryCodes } = await factorsOf(db, id)
  const totp = await db
    .selectFrom('totp_seeds')
    .select('created_at')
    .where('user_id', '=', id)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .execute()
  return {
    totp: totp ? { created_at: totp.created_at.toISOString() } : null,
    passkeys: passkeys.map((passkey) => ({
      ...passkey,
      created_at: passkey.created_at.toISOString(),
      last_used_at: passkey.last_used_at?.toISOString() ?? null,
    })),
    recovery_codes_left: recoveryCodes,
    is_required,
  }
}

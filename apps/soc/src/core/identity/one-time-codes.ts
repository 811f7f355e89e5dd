import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Tables } from '../../db/tables.ts'
import type { Sealing } from '../keys/sealing.ts'

const PERIOD_S = 30
const RECOVERY_CODES = 10
/** Base32 without letters that are read as digits. */
const LETTERS = 'abcdefghjkmnpqrstvwxyz23456789'
const RECOVERY_LENGTH = 16

export const purposeOfSeed = (userId: string) => `totp/${userId}`

/** What every authenticator app takes: SHA-1, six digits, thirty seconds. */
export const totpOf = (base32: string, username: string) =>
  new TOTP({ issuer: 'Manara', label: username, secret: Secret.fromBase32(base32) })

export const newSeed = () => new Secret({ size: 20 }).base32

/** The step that the code is of, one before or after the current one included; none when wrong. */
export function stepOf(totp: TOTP, code: string, now: number): number | undefined {
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1_000 / PERIOD_S) + delta
}

export const isTotpCode = (code: string) => /^\d{6}$/.test(digitsOf(code))

/** Apps show them as `123 456`, and so people type them. */
const digitsOf = (code: string) => code.replaceAll(/\s/g, '')

/** A code is good once: a step that was used, or an older one, is not taken again. */
export async function useTotpCode(
  { db, sealing, now }: { db: Kysely<Tables>; sealing: Sealing; now: () => number },
  user: { id: string; username: string },
  code: string,
): Promise<boolean> {
  const seed = await db
    .selectFrom('totp_seeds')
    .select('sealed_seed')
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (!seed) return false
  const base32 = sealing.open(seed.sealed_seed, purposeOfSeed(user.id)).toString()
  const step = stepOf(totpOf(base32, user.username), digitsOf(code), now())
  if (step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('totp_seeds')
    .set({ last_step: String(step) })
    .where('user_id', '=', user.id)
    .where('last_step', '<', String(step))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deleting is using: of two who bring the same code at once one is let in. */
export async function useRecoveryCode(db: Kysely<Tables>, userId: string, code: string) {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(code))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** New ones in place of those before; they are shown in this answer and never again. */
export async function replaceRecoveryCodes(db: Kysely<Tables>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
    .execute()
  return codes
}

/** 78 random bits in groups of four. */
function newRecoveryCode(): string {
  let code = ''
  while (code.length < RECOVERY_LENGTH) {
    for (const byte of randomBytes(RECOVERY_LENGTH)) {
      // 240 is the largest multiple of 30 in a byte: every letter is equally likely.
      if (byte < 240 && code.length < RECOVERY_LENGTH) code += LETTERS[byte % LETTERS.length]
    }
  }
  return code.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** People type them with or without dashes, in capitals or not. */
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest('hex')

import type { AuditEntry } from '../../core/audit/entry.ts'
import { isTotpCode, useRecoveryCode, useTotpCode } from '../../core/identity/one-time-codes.ts'
import { codeLanes } from '../../core/identity/sign-in-lanes.ts'
import type { SignInThrottle } from '../../core/identity/sign-in-throttle.ts'
import type { Sealing } from '../../core/keys/sealing.ts'
import type { Database } from '../../db/database.ts'

export type CheckCodeDeps = {
  database: Pick<Database, 'kysely'>
  sealing: Sealing
  throttle: SignInThrottle
  recordAudit(entries: AuditEntry[]): Promise<void>
  now?: (() => number) | undefined
}

/**
 * For who knows the password already. Guesses at six digits are counted for the account, wherever
 * they come from; a recovery code is too long to be guessed and stays a way in.
 */
export async function checkCode(
  deps: CheckCodeDeps,
  user: { id: string; username: string },
  code: string,
): Promise<boolean> {
  const { kysely: db } = deps.database
  if (isTotpCode(code)) {
    return deps.throttle.attempt(codeLanes(user.id), () =>
      useTotpCode({ db, sealing: deps.sealing, now: deps.now ?? Date.now }, user, code),
    )
  }
  const isRight = await useRecoveryCode(db, user.id, code)
  if (isRight) {
    const target = `user:${user.username}`
    const who = { actor: user.username, actor_kind: 'user' }
    await deps.recordAudit([{ ...who, target, action: 'auth.use_recovery_code', outcome: 'done' }])
  }
  return isRight
}

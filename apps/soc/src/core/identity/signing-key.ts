import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'

export type SigningKey = {
  current(): Uint8Array
  /** Called when the database is up: all processes on it sign with its key. */
  agree(db: Kysely<Tables>): Promise<void>
}

/**
 * The key lives in the database, so that a token of one process is good in the next. The file is a
 * copy for the time the database is away: who is signed in can still read the runtime mode.
 */
export function createSigningKey(file: string): SigningKey {
  let secret = readCopy(file) ?? keepCopy(file, randomBytes(32))

  return {
    current: () => secret,
    async agree(db) {
      await db
        .insertInto('signing_keys')
        .values({ purpose: 'jwt', secret: secret.toString('base64url') })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const row = await db
        .selectFrom('signing_keys')
        .select('secret')
        .where('purpose', '=', 'jwt')
        .executeTakeFirstOrThrow()
      const agreed = Buffer.from(row.secret, 'base64url')
      if (!agreed.equals(secret)) secret = keepCopy(file, agreed)
    },
  }
}

function readCopy(file: string): Buffer | undefined {
  try {
    const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
    return secret.length >= 32 ? secret : undefined
  } catch {
    return undefined
  }
}

function keepCopy(file: string, secret: Buffer): Buffer {
  // Renamed into place: a power cut leaves the old key or the new one, never half a key.
  writeFileSync(`${file}.new`, `${secret.toString('base64url')}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return secret
}

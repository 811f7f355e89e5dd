import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

const LIFE_S = 600

/** What was begun: of each kind, what its second half needs to know. */
export type FlowData = {
  totp: { userId: string; jti: string; sealedSeed: string }
  'passkey.enrol': { userId: string; jti: string; challenge: string }
  'passkey.sign-in': { challenge: string }
  oidc: {
    question: { state: string; nonce: string; codeVerifier: string }
    returnTo: string
    startedAt: number
    /** The session that is to be proven, instead of a new one. */
    proofFor: { userId: string; jti: string } | undefined
  }
}

/** Answers the handle: whoever brings it back goes on where this ended. Only its hash is kept. */
export async function beginFlow<Kind extends keyof FlowData>(
  db: Kysely<Tables>,
  kind: Kind,
  data: FlowData[Kind],
): Promise<string> {
  const handle = randomBytes(32).toString('base64url')
  await db.deleteFrom('sign_in_flows').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .insertInto('sign_in_flows')
    .values({
      id_hash: hashOf(handle),
      kind,
      data: JSON.stringify(data),
      expires_at: sql<Date>`now() + ${LIFE_S} * interval '1 second'`,
    })
    .execute()
  return handle
}

/** Once: of two who bring the same handle one gets it. Nothing when it is unknown, old or another kind. */
export async function takeFlow<Kind extends keyof FlowData>(
  db: Kysely<Tables>,
  kind: Kind,
  handle: string,
): Promise<FlowData[Kind] | undefined> {
  const row = await db
    .deleteFrom('sign_in_flows')
    .where('id_hash', '=', hashOf(handle))
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('data')
    .executeTakeFirst()
  return row?.data as FlowData[Kind] | undefined
}

const hashOf = (handle: string) => createHash('sha256').update(handle).digest('hex')

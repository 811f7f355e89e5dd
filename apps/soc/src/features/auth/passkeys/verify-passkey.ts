import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type Kysely, sql } from 'kysely'
import { beginFlow, takeFlow } from '../../../core/identity/flows.ts'
import type { Tables } from '../../../db/tables.ts'
import type { PasskeyAnswer, RelyingParty } from './relying-party.ts'

const BASE64URL = /^[\w-]+$/

/** Names nobody: the authenticator itself knows for whom it has a passkey here. */
export async function askForPasskey(db: Kysely<Tables>, party: RelyingParty) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
  })
  const flow = await beginFlow(db, 'passkey.sign-in', { challenge: options.challenge })
  return { flow, options: { ...options } }
}

/**
 * The id of the user whose passkey answered our challenge, on our page, after its PIN or finger.
 * Nothing when any of that is not so.
 */
export async function verifyPasskey(
  db: Kysely<Tables>,
  party: RelyingParty,
  { flow, credential }: PasskeyAnswer,
): Promise<string | undefined> {
  const begun = await takeFlow(db, 'passkey.sign-in', flow)
  const id = String(credential.id)
  if (!begun || !BASE64URL.test(id)) return undefined
  const known = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  if (!known) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  // The library throws for whatever is malformed or does not match.
  const result = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: begun.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: known.id,
      publicKey: new Uint8Array(known.public_key),
      counter: Number(known.counter),
    },
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  await db
    .updateTable('passkeys')
    .set({ counter: String(result.authenticationInfo.newCounter), last_used_at: sql<Date>`now()` })
    .where('id', '=', known.id)
    .execute()
  return known.user_id
}

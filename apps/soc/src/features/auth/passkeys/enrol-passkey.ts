import { conflict, invalid } from '@manara/kit/errors'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Kysely } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { beginFlow, takeFlow } from '../../../core/identity/flows.ts'
import type { Session } from '../../../core/identity/principal.ts'
import type { Tables } from '../../../db/tables.ts'
import { addedFactor } from '../second-factors/added-factor.ts'
import { mayEnrol } from '../second-factors/may-enrol.ts'
import { ALGORITHMS, type PasskeyAnswer, type RelyingParty } from './relying-party.ts'

const MOST_PASSKEYS = 20

/** It must verify its owner, by PIN or finger, so that it is two factors in one. */
export async function beginPasskey(change: ChangeContext, session: Session, party: RelyingParty) {
  const user = await mayEnrol(change.tx, session)
  const existing = await passkeysOf(change.tx, user.id)
  if (existing.length >= MOST_PASSKEYS) {
    throw conflict(`${MOST_PASSKEYS} passkeys are enough: remove one first`)
  }
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Manara',
    rpID: party.id,
    userName: user.username,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userDisplayName: user.full_name ?? user.username,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const flow = await beginFlow(change.tx, 'passkey.enrol', {
    userId: user.id,
    jti: session.id,
    challenge: options.challenge,
  })
  return { flow, options: { ...options } }
}

export async function addPasskey(
  change: ChangeContext,
  session: Session,
  party: RelyingParty,
  { flow, credential, name }: PasskeyAnswer & { name: string },
) {
  const begun = await takeFlow(change.tx, 'passkey.enrol', flow)
  if (!begun || begun.jti !== session.id || begun.userId !== session.principal.id) {
    throw invalid('flow', 'is unknown or over: begin again')
  }
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const result = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: begun.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: Error) => {
    throw invalid('credential', `is not accepted: ${error.message}`)
  })
  if (!result.verified) throw invalid('credential', 'is not accepted: begin again')
  const { credential: made } = result.registrationInfo
  const stored = await change.tx
    .insertInto('passkeys')
    .values({
      id: made.id,
      user_id: begun.userId,
      name,
      public_key: Buffer.from(made.publicKey),
      counter: String(made.counter),
      transports: made.transports ?? [],
    })
    .onConflict((known) => known.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!stored) throw conflict('this passkey is enrolled already')
  return addedFactor(change, session, { kind: 'passkey', name })
}

const passkeysOf = (tx: Kysely<Tables>, userId: string) =>
  tx.selectFrom('passkeys').select(['id', 'transports']).where('user_id', '=', userId).execute()

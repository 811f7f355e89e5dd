import { unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  FactorAdded,
  FactorRemoved,
  FactorsOfUsers,
  FactorsOfUsersQuery,
  PasskeyEnrol,
  PasskeyOptions,
  PasskeyParams,
  ProofBody,
  Proven,
  RecoveryCodes,
  SecondFactors,
  SignInPolicy,
  SignInPolicyUpdate,
  TotpBegun,
  TotpConfirm,
} from '@manara/soc-contract/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { principalOf, sessionOf } from '../../../core/identity/caller.ts'
import type { Session } from '../../../core/identity/principal.ts'
import type { TokenOwner } from '../../../core/identity/tokens.ts'
import { authenticated, requiresRole, whileEnrolling } from '../../../http/permissions.ts'
import { type AuthDeps, answerWith, tags } from '../auth.routes.ts'
import { addPasskey, beginPasskey } from '../passkeys/enrol-passkey.ts'
import type { createRelyingParty } from '../passkeys/relying-party.ts'
import { PROOF_LIFE_S, prove } from '../proof/proof.ts'
import { beginTotp, confirmTotp } from './enrol-totp.ts'
import { factorsOfUsers } from './factors-of-users.ts'
import { listFactors } from './list-factors.ts'
import { readPolicy, setPolicy } from './policy.ts'
import { removeFactor, renewRecoveryCodes } from './remove-factor.ts'

export type SecondFactorDeps = AuthDeps & {
  party: ReturnType<typeof createRelyingParty>
  /** One's own sign-in is no operator's change: in `dry_run` it is done too. */
  ownChange: Changes['internalWorkflow']
  /** Like `operatorChange`, and answers only when every process has heard of it. */
  identityChange: Changes['operatorChange']
}

export function secondFactorRoutes(http: Http, deps: SecondFactorDeps) {
  const { ownChange, party, sealing } = deps
  const db = deps.database.kysely
  const now = deps.now ?? Date.now

  /** In the name of whose session it is. */
  const own = <T>(
    request: FastifyRequest,
    work: (change: ChangeContext, session: Session) => Promise<T>,
  ): Promise<T> => {
    const session = required(request)
    return ownChange((change) => work(change, session), session.principal)
  }

  /** Who has enrolled because they had to goes on with a whole session. */
  async function added(
    reply: FastifyReply,
    { owner, recovery_codes }: { owner: TokenOwner | undefined; recovery_codes: string[] | null },
  ) {
    reply.header('cache-control', 'no-store')
    if (!owner) return { recovery_codes, session: null }
    const token = await deps.tokens.issue(owner)
    return { recovery_codes, session: answerWith(deps, reply, { token, isEnrolling: false }) }
  }

  http.get(
    '/auth/second-factors',
    {
      ...whileEnrolling(),
      schema: { tags, summary: 'My second factors', response: { 200: SecondFactors } },
    },
    (request) => listFactors(db, principalOf(request)),
  )

  http.post(
    '/auth/proof',
    {
      ...authenticated(),
      schema: {
        tags,
        summary: 'Show again who you are, for one grave change',
        body: ProofBody,
        response: { 200: Proven },
      },
    },
    async (request) => {
      await prove(deps, required(request), () => party.of(request), request.body)
      return { proven: true as const, expires_in: PROOF_LIFE_S }
    },
  )

  http.post(
    '/auth/second-factors/totp',
    {
      ...whileEnrolling(),
      schema: {
        tags,
        summary: 'Begin to enrol an authenticator app',
        response: { 200: TotpBegun },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return own(request, (change, session) => beginTotp(change, session, sealing))
    },
  )

  http.post(
    '/auth/second-factors/totp/confirm',
    {
      ...whileEnrolling(),
      schema: {
        tags,
        summary: 'Enrol the app with a code that it shows',
        body: TotpConfirm,
        response: { 200: FactorAdded },
      },
    },
    async (request, reply) => {
      const result = await own(request, (change, session) =>
        confirmTotp(change, session, { sealing, now }, request.body),
      )
      return added(reply, result)
    },
  )

  http.delete(
    '/auth/second-factors/totp',
    {
      ...authenticated(),
      schema: { tags, summary: 'Remove the authenticator app', response: { 200: FactorRemoved } },
    },
    (request) => own(request, (change, session) => removeFactor(change, session, { kind: 'totp' })),
  )

  http.post(
    '/auth/second-factors/passkeys/options',
    {
      ...whileEnrolling(),
      schema: { tags, summary: 'Begin to enrol a passkey', response: { 200: PasskeyOptions } },
    },
    (request) => {
      const relying = party.of(request)
      return own(request, (change, session) => beginPasskey(change, session, relying))
    },
  )

  http.post(
    '/auth/second-factors/passkeys',
    {
      ...whileEnrolling(),
      schema: {
        tags,
        summary: 'Enrol the passkey that the browser made',
        body: PasskeyEnrol,
        response: { 200: FactorAdded },
      },
    },
    async (request, reply) => {
      const relying = party.of(request)
      const result = await own(request, (change, session) =>
        addPasskey(change, session, relying, request.body),
      )
      return added(reply, result)
    },
  )

  http.delete(
    '/auth/second-factors/passkeys/:passkey_id',
    {
      ...authenticated(),
      schema: {
        tags,
        summary: 'Remove a passkey',
        params: PasskeyParams,
        response: { 200: FactorRemoved },
      },
    },
    (request) => {
      const what = { kind: 'passkey' as const, id: request.params.passkey_id }
      return own(request, (change, session) => removeFactor(change, session, what))
    },
  )

  http.post(
    '/auth/second-factors/recovery-codes',
    {
      ...authenticated(),
      schema: {
        tags,
        summary: 'New recovery codes: they are shown this once',
        response: { 200: RecoveryCodes },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return own(request, renewRecoveryCodes)
    },
  )

  http.get(
    '/auth/second-factors/users',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'Who has which second factor',
        querystring: FactorsOfUsersQuery,
        response: { 200: FactorsOfUsers },
      },
    },
    ({ query }) => factorsOfUsers(db, query),
  )

  http.get(
    '/auth/policy',
    {
      ...requiresRole('admin'),
      schema: { tags, summary: 'Who needs a second factor', response: { 200: SignInPolicy } },
    },
    () => readPolicy(db),
  )

  http.put(
    '/auth/policy',
    {
      ...requiresRole('admin'),
      schema: {
        tags,
        summary: 'Say which roles need a second factor',
        body: SignInPolicyUpdate,
        response: { 200: SignInPolicy },
      },
    },
    (request, reply) => {
      const session = required(request)
      return deps.identityChange(request, reply, 200, (change) =>
        setPolicy(change, session, request.body),
      )
    },
  )
}

function required(request: FastifyRequest): Session {
  const session = sessionOf(request)
  if (!session) throw unauthorized()
  return session
}

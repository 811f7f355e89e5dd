import { unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { PasskeyAnswer, PasskeyOptions, SignedIn } from '@manara/soc-contract/auth'
import { Role } from '@manara/soc-contract/permissions'
import type { FastifyRequest } from 'fastify'
import { open } from '../../../http/permissions.ts'
import { type AuthDeps, answerWith, refuseOtherSites, tags, whereFrom } from '../auth.routes.ts'
import { enter, recordRefusal } from '../sign-in.ts'
import type { createRelyingParty } from './relying-party.ts'
import { askForPasskey, verifyPasskey } from './verify-passkey.ts'

export type PasskeyDeps = AuthDeps & {
  party: ReturnType<typeof createRelyingParty>
  limitGeneral(request: FastifyRequest): Promise<void>
  /** Says at every sign-in whether somebody still has a role: none of its people goes round it. */
  provider: { name: string } | undefined
}

/** A passkey is possession and PIN or finger in one: it signs in by itself, without a password. */
export function passkeyRoutes(http: Http, deps: PasskeyDeps) {
  const db = deps.database.kysely
  const from = whereFrom(deps.cookie)

  http.post(
    '/auth/passkeys/options',
    {
      ...open(),
      schema: {
        tags,
        summary: 'Begin to sign in with a passkey',
        response: { 200: PasskeyOptions },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request)
      await deps.limitGeneral(request)
      reply.header('cache-control', 'no-store')
      return askForPasskey(db, deps.party.of(request))
    },
  )

  http.post(
    '/auth/passkeys',
    {
      ...open(),
      schema: {
        tags,
        summary: 'Sign in with a passkey',
        body: PasskeyAnswer,
        response: { 200: SignedIn },
      },
    },
    async (request, reply): Promise<SignedIn> => {
      refuseOtherSites(request)
      await deps.limitGeneral(request)
      const party = deps.party.of(request)
      const where = from(request, reply)
      // Not counted with wrong passwords: it cannot be guessed, and neighbours would lock it out.
      const userId = await verifyPasskey(db, party, request.body)
      const owner = userId && (await enabledUser(userId))
      if (!owner) {
        await recordRefusal(deps, 'by passkey', where)
        throw unauthorized('this passkey is not known here, or its answer came too late: try again')
      }
      if (owner.oidc_issuer && deps.provider) {
        await recordRefusal(deps, owner.username, where, 'by passkey: signs in at the provider')
        throw unauthorized(`your account is kept at ${deps.provider.name}: sign in there`)
      }
      return answerWith(deps, reply, await enter(deps, owner, where))
    },
  )

  async function enabledUser(id: string) {
    const user = await db
      .selectFrom('users')
      .select(['id', 'username', 'role', 'session_stamp', 'oidc_issuer'])
      .where('id', '=', id)
      .where('disabled', '=', false)
      .executeTakeFirst()
    return user && { ...user, role: Role.parse(user.role) }
  }
}

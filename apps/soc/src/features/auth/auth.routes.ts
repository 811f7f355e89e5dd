import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { SignedIn, SignedOut, SignInBody } from '@manara/soc-contract/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../core/audit/entry.ts'
import { principalOf, sessionOf } from '../../core/identity/caller.ts'
import type { Session } from '../../core/identity/principal.ts'
import { placeOf } from '../../core/identity/sign-in-places.ts'
import { ENROLLING_LIFE_S, TOKEN_LIFE_S } from '../../core/identity/tokens.ts'
import { deviceCookie } from '../../http/device-cookie.ts'
import { open, whileEnrolling } from '../../http/permissions.ts'
import { isFromOtherSite } from '../../http/same-origin.ts'
import type { SessionCookie } from '../../http/session-cookie.ts'
import { type Entered, type From, type SignInDeps, signIn } from './sign-in.ts'

export type AuthDeps = SignInDeps & {
  cookie: SessionCookie
  revoke(session: Session): Promise<void>
  /** Where a session that was begun at the provider is ended there too. */
  providerSignOutUrl?: (() => Promise<string | undefined>) | undefined
}

export const tags = ['authentication']

/** How every way of signing in ends: the token in the answer and in the browser's cookie. */
export function answerWith(
  { cookie }: { cookie: SessionCookie },
  reply: FastifyReply,
  { token, isEnrolling }: Entered,
): SignedIn {
  const expires_in = isEnrolling ? ENROLLING_LIFE_S : TOKEN_LIFE_S
  reply.setCookie(cookie.name, token, { ...cookie.options, maxAge: expires_in })
  reply.header('cache-control', 'no-store')
  const signedIn = { access_token: token, token_type: 'bearer' as const, expires_in }
  return isEnrolling ? { ...signedIn, must_enrol: true } : signedIn
}

/** Another site must not sign its visitors in as somebody else. */
export function refuseOtherSites(request: FastifyRequest) {
  if (isFromOtherSite(request)) {
    throw new AppError(403, 'origin: sign in on a page of this service')
  }
}

export function whereFrom(cookie: SessionCookie) {
  const device = deviceCookie(cookie)
  return (request: FastifyRequest, reply: FastifyReply): From => ({
    place: placeOf(request.ip, device.ofOrNew(request, reply)),
    address: request.ip,
    request_id: request.id,
  })
}

export function authRoutes(http: Http, deps: AuthDeps) {
  const from = whereFrom(deps.cookie)

  http.post(
    '/auth/token',
    {
      ...open(),
      schema: {
        tags,
        summary: 'Sign in with JSON or a form',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: SignInBody,
        response: { 200: SignedIn },
      },
    },
    async (request, reply): Promise<SignedIn> => {
      refuseOtherSites(request)
      return answerWith(deps, reply, await signIn(deps, request.body, from(request, reply)))
    },
  )

  http.post(
    '/auth/logout',
    {
      ...whileEnrolling(),
      schema: { tags, summary: 'End this session', response: { 200: SignedOut } },
    },
    async (request, reply) => {
      const session = sessionOf(request)
      if (session) await deps.revoke(session)
      await deps.recordAudit([
        {
          ...callerOf(request, principalOf(request)),
          action: 'auth.sign_out',
          target: `user:${principalOf(request).username}`,
          outcome: 'done',
        },
      ])
      reply.clearCookie(deps.cookie.name, deps.cookie.options)
      const url = session?.isFromProvider ? await deps.providerSignOutUrl?.() : undefined
      return { signed_out: true as const, ...(url ? { provider_sign_out_url: url } : {}) }
    },
  )
}

import { conflict, invalid, notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { OidcCallbackQuery, OidcStartQuery, SignInWays } from '@manara/soc-contract/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionOf } from '../../../core/identity/caller.ts'
import { beginFlow, type FlowData } from '../../../core/identity/flows.ts'
import { authenticated, open } from '../../../http/permissions.ts'
import { type AuthDeps, answerWith, tags, whereFrom } from '../auth.routes.ts'
import type { createRelyingParty } from '../passkeys/relying-party.ts'
import { recordRefusal } from '../sign-in.ts'
import { isOwnPath } from './domain/provider-user.ts'
import { type FinishDeps, finishOidc } from './finish-oidc.ts'
import { OidcProblem } from './problems.ts'

export type OidcDeps = AuthDeps &
  Omit<FinishDeps, 'provider'> & {
    provider: FinishDeps['provider'] | undefined
    party: ReturnType<typeof createRelyingParty>
    limitGeneral(request: FastifyRequest): Promise<void>
  }

const COOKIE = 'soc_oidc'
const COOKIE_PATH = '/api/v1/auth/oidc'
const COOKIE_LIFE_S = 600

export function oidcRoutes(http: Http, deps: OidcDeps) {
  const { provider } = deps
  const from = whereFrom(deps.cookie)
  // Lax: the provider sends the browser back from another site.
  const cookie = { ...deps.cookie.options, sameSite: 'lax', path: COOKIE_PATH } as const

  http.get(
    '/auth/ways',
    {
      ...open(),
      schema: { tags, summary: 'How one can sign in here', response: { 200: SignInWays } },
    },
    (request) => ({
      password: true as const,
      passkey: deps.party.isPossible(request),
      oidc: provider ? { name: provider.name, url: `${COOKIE_PATH}/start` } : null,
    }),
  )

  http.get(
    '/auth/oidc/start',
    {
      ...open(),
      schema: { tags, summary: 'Sign in at the identity provider', querystring: OidcStartQuery },
    },
    async (request, reply) => {
      await deps.limitGeneral(request)
      return leave(reply, request.query.return_to ?? '/', undefined)
    },
  )

  http.get(
    '/auth/oidc/prove',
    {
      ...authenticated(),
      schema: {
        tags,
        summary: 'Show again who you are, at the identity provider',
        querystring: OidcStartQuery,
      },
    },
    (request, reply) => {
      const session = sessionOf(request)
      const userId = session?.principal.id
      if (!session || !userId) throw conflict('sign in with the identity provider first')
      return leave(reply, request.query.return_to ?? '/', { userId, jti: session.id })
    },
  )

  http.get(
    '/auth/oidc/callback',
    {
      ...open(),
      schema: {
        tags,
        summary: 'Where the identity provider sends the browser back to',
        querystring: OidcCallbackQuery,
      },
    },
    async (request, reply) => {
      await deps.limitGeneral(request)
      if (!provider) throw notFound('identity provider', 'of SOC_OIDC_ISSUER')
      const handle = request.cookies[COOKIE]
      reply.clearCookie(COOKIE, cookie)
      const where = from(request, reply)
      const url = new URL(request.url, 'https://soc.invalid')
      try {
        const { returnTo, entered } = await finishOidc(
          { ...deps, provider },
          { url, handle },
          where,
        )
        if (entered) answerWith(deps, reply, entered)
        return goTo(reply, returnTo)
      } catch (error) {
        if (!(error instanceof OidcProblem)) throw error
        await recordRefusal(deps, error.username ?? 'by provider', where, `oidc: ${error.code}`)
        return goTo(reply, `/sign-in/?problem=${error.code}`)
      }
    },
  )

  async function leave(
    reply: FastifyReply,
    returnTo: string,
    proofFor: FlowData['oidc']['proofFor'],
  ) {
    if (!provider) throw notFound('identity provider', 'of SOC_OIDC_ISSUER')
    if (!isOwnPath(returnTo)) throw invalid('return_to', 'must be a path of this service')
    const question = provider.newQuestion()
    const startedAt = (deps.now ?? Date.now)()
    const to = await provider.begin(question, { isFresh: proofFor !== undefined })
    const flow = { question, returnTo, proofFor, startedAt }
    const handle = await beginFlow(deps.database.kysely, 'oidc', flow)
    reply.setCookie(COOKIE, handle, { ...cookie, maxAge: COOKIE_LIFE_S })
    reply.header('cache-control', 'no-store')
    return reply.redirect(to.href, 302)
  }
}

/**
 * By a page instead of a redirect: browsers hold strict cookies back as long as another site led
 * here, so that the next page would not know who it is for.
 */
function goTo(reply: FastifyReply, path: string) {
  const target = path.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  reply.header('cache-control', 'no-store')
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  reply.header('referrer-policy', 'no-referrer')
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><meta http-equiv="refresh" content="0;url=${target}"><title>Manara</title>` +
        `<a href="${target}">Continue</a>`,
    )
}

import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { SignedIn, SignedOut, SignInBody } from '@manara/soc-contract/users'
import { callerOf } from '../../core/audit/entry.ts'
import { principalOf, sessionOf } from '../../core/identity/caller.ts'
import type { Session } from '../../core/identity/principal.ts'
import { placeOf } from '../../core/identity/sign-in-places.ts'
import { TOKEN_LIFE_S } from '../../core/identity/tokens.ts'
import { deviceCookie } from '../../http/device-cookie.ts'
import { authenticated, open } from '../../http/permissions.ts'
import type { SessionCookie } from '../../http/session-cookie.ts'
import { type SignInDeps, signIn } from './sign-in.ts'

export type AuthDeps = SignInDeps & {
  cookie: SessionCookie
  revoke(session: Session): Promise<void>
}

const tags = ['authentication']

export function authRoutes(http: Http, deps: AuthDeps) {
  const device = deviceCookie(deps.cookie)

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
      // Another site must not sign its visitors in as somebody else.
      if (request.headers['sec-fetch-site'] === 'cross-site') {
        throw new AppError(403, 'origin: sign in on a page of this service')
      }
      const { username, password } = request.body
      const token = await signIn(deps, {
        username,
        password,
        place: placeOf(request.ip, device.ofOrNew(request, reply)),
        address: request.ip,
        request_id: request.id,
      })
      reply.setCookie(deps.cookie.name, token, { ...deps.cookie.options, maxAge: TOKEN_LIFE_S })
      reply.header('cache-control', 'no-store')
      return { access_token: token, token_type: 'bearer', expires_in: TOKEN_LIFE_S }
    },
  )

  http.post(
    '/auth/logout',
    {
      ...authenticated(),
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
      return { signed_out: true as const }
    },
  )
}

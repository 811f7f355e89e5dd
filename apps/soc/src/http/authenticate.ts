import { AppError, unauthorized } from '@manara/kit/errors'
import type { Permission, Role } from '@manara/soc-contract/permissions'
import type { FastifyRequest } from 'fastify'
import { cameFromOurPages } from './same-origin.ts'

export type Principal = {
  username: string
  role: Role
  permissions: ReadonlySet<Permission>
  kind: 'user' | 'api_key'
}

/** Who is calling, by what, and until when. */
export type Session = {
  principal: Principal
  /** Of the token or of the API key: what sign-out and rate limits count by. */
  id: string
  expiresAt: number
}

/** Resolves to nothing when the credential is unknown, expired, revoked or of a disabled user. */
export type Sessions = {
  ofToken(token: string): Promise<Session | undefined>
  ofApiKey(key: string): Promise<Session | undefined>
}

type Known = { session: Session; credential: { kind: 'token' | 'key'; value: string } }

// One map instead of a decorator: nothing to declare on Fastify's types, and gone with the request.
const known = new WeakMap<FastifyRequest, Known>()
const refusals = new WeakMap<FastifyRequest, AppError>()

/** Finds out who calls; whether that is enough is for `requires` and its kin to say. */
export function authenticate(deps: { sessions: Sessions; cookieName: string }) {
  return async (request: FastifyRequest): Promise<void> => {
    const credential = credentialOf(request, deps.cookieName)
    if (!credential) return
    if (credential.fromCookie && !cameFromOurPages(request)) {
      refusals.set(request, new AppError(403, 'origin: this session is for pages of this service'))
      return
    }
    const session = await (credential.kind === 'key'
      ? deps.sessions.ofApiKey(credential.value)
      : deps.sessions.ofToken(credential.value))
    if (session) known.set(request, { session, credential })
  }
}

function credentialOf(request: FastifyRequest, cookieName: string) {
  const { authorization, 'x-api-key': apiKey } = request.headers
  const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  if (bearer) return { kind: 'token', value: bearer, fromCookie: false } as const
  if (typeof apiKey === 'string') return { kind: 'key', value: apiKey, fromCookie: false } as const
  const cookie = request.cookies[cookieName]
  return cookie ? ({ kind: 'token', value: cookie, fromCookie: true } as const) : undefined
}

export function sessionOf(request: FastifyRequest): Session | undefined {
  return known.get(request)?.session
}

export function credentialUsed(request: FastifyRequest): Known['credential'] | undefined {
  return known.get(request)?.credential
}

/** The caller, or 401; a session cookie sent by another site's page is 403. */
export function principalOf(request: FastifyRequest): Principal {
  const session = sessionOf(request)
  if (session) return session.principal
  throw refusals.get(request) ?? unauthorized()
}

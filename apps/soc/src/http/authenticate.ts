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

/** What every API key begins with, so that it is known wherever it is sent. */
export const API_KEY_PREFIX = 'soc_'

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
  const { authorization = '', 'x-api-key': apiKey } = request.headers
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)$/.exec(authorization) ?? []
  if (/^bearer$/i.test(scheme) && !isApiKey(value)) {
    return { kind: 'token', value, fromCookie: false } as const
  }
  const key = keyIn(scheme.toLowerCase(), value) ?? apiKey
  if (typeof key === 'string') return { kind: 'key', value: key, fromCookie: false } as const
  const cookie = request.cookies[cookieName]
  return cookie ? ({ kind: 'token', value: cookie, fromCookie: true } as const) : undefined
}

/** Senders of logs put our key where their protocol has room for one. */
function keyIn(scheme: string, value: string): string | undefined {
  if (scheme === 'bearer' || scheme === 'splunk') return value
  if (scheme === 'apikey' && isApiKey(value)) return value
  if (scheme !== 'apikey' && scheme !== 'basic') return undefined
  // Elastic's `id:key` and Basic's `user:password`: the key is the second part.
  const pair = Buffer.from(value, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1) || undefined
}

const isApiKey = (value: string) => value.startsWith(API_KEY_PREFIX)

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

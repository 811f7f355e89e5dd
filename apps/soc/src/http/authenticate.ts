import { AppError } from '@manara/kit/errors'
import type { FastifyRequest } from 'fastify'
import {
  credentialUsed,
  rememberCaller,
  rememberRefusal,
  sessionOf,
} from '../core/identity/caller.ts'
import {
  API_KEY_PREFIX,
  type Principal,
  type Session,
  type Sessions,
} from '../core/identity/principal.ts'
import { cameFromOurPages } from './same-origin.ts'

/** Finds out who calls; whether that is enough is for `requires` and its kin to say. */
export function authenticate(deps: {
  sessions: Sessions
  cookieName: string
  onKeyUsed(request: FastifyRequest, session: Session): void
}) {
  return async (request: FastifyRequest): Promise<void> => {
    const credential = credentialOf(request, deps.cookieName)
    if (!credential) return
    if (credential.fromCookie && !cameFromOurPages(request)) {
      const detail = 'origin: this session is for pages of this service'
      rememberRefusal(request, new AppError(403, detail))
      return
    }
    const session = await (credential.kind === 'key'
      ? deps.sessions.ofApiKey(credential.value)
      : deps.sessions.ofToken(credential.value))
    if (!session) return
    rememberCaller(request, { session, credential })
    if (credential.kind === 'key') deps.onKeyUsed(request, session)
  }
}

/**
 * Later, when a request lasts: with other rights than they began with they have to begin anew, as
 * when the owner of an API key was given another role.
 */
export async function isStillWelcome(
  { ofApiKey, ofToken }: Sessions,
  request: FastifyRequest,
): Promise<boolean> {
  const [before, credential] = [sessionOf(request), credentialUsed(request)]
  if (!before || !credential) return false
  const now = await (credential.kind === 'key' ? ofApiKey : ofToken)(credential.value)
  return now === before || (now !== undefined && mayTheSame(now.principal, before.principal))
}

const mayTheSame = (now: Principal, before: Principal) =>
  now.role === before.role &&
  now.permissions.size === before.permissions.size &&
  [...now.permissions].every((permission) => before.permissions.has(permission))

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

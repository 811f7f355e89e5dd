import { type AppError, unauthorized } from '@manara/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { Principal, Session } from './principal.ts'

type Caller = { session: Session; credential: { kind: 'token' | 'key'; value: string } }

// One map instead of a decorator: nothing to declare on Fastify's types, and gone with the request.
const callers = new WeakMap<FastifyRequest, Caller>()
const refusals = new WeakMap<FastifyRequest, AppError>()

/** Said once, by whoever checked the credential. */
export const rememberCaller = (request: FastifyRequest, caller: Caller) =>
  void callers.set(request, caller)

/** Instead of 401, when there is a better reason why the caller is nobody. */
export const rememberRefusal = (request: FastifyRequest, refusal: AppError) =>
  void refusals.set(request, refusal)

export function sessionOf(request: FastifyRequest): Session | undefined {
  return callers.get(request)?.session
}

export function credentialUsed(request: FastifyRequest): Caller['credential'] | undefined {
  return callers.get(request)?.credential
}

/** The caller, or 401; a session cookie sent by another site's page is 403. */
export function principalOf(request: FastifyRequest): Principal {
  const session = sessionOf(request)
  if (session) return session.principal
  throw refusals.get(request) ?? unauthorized()
}

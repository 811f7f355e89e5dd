import { AppError, unauthorized } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { FastifyRequest } from 'fastify'
import type { RecordAudit } from '../core/audit/record-audit.ts'
import { principalOf, sessionOf } from '../core/identity/caller.ts'
import type { Session, Sessions } from '../core/identity/principal.ts'
import { auditRefusals } from './audit-refusals.ts'
import { authenticate, isStillWelcome } from './authenticate.ts'
import { type Access, accessOf, hasOwnBudget, isForEnrolling, isRead } from './permissions.ts'

export type GuardDeps = {
  sessions: Sessions
  cookieName: string
  onKeyUsed(request: FastifyRequest, session: Session): void
  recordAudit: RecordAudit
  limitGeneral(request: FastifyRequest): Promise<void>
  /** Of those who prove who they are by the call itself. */
  limitProof(request: FastifyRequest): Promise<void>
}

export type GuardedRoute = { method: string; url: string; access: Access | undefined }

const routes = new WeakMap<object, (() => GuardedRoute)[]>()

/** Every route with who may call it: the test over the route table walks this. */
export const routesOf = (http: Http): GuardedRoute[] =>
  (routes.get(http) ?? []).map((describe) => describe())

/**
 * Before every route, in this order: who is it, is it too much, is it anybody at all. What the
 * caller may do is checked by the route's own `requires`.
 */
export function guardRoutes(http: Http, deps: GuardDeps) {
  const known: (() => GuardedRoute)[] = []
  routes.set(http, known)
  http.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      // Looked at later: a plugin's own hook may still complete the route.
      known.push(() => ({ method, url: route.url, access: accessOf(route.config) }))
    }
  })

  const identify = authenticate(deps)
  http.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    const access = accessOf(config)
    if (request.is404 || access?.kind === 'public') return
    // A fleet may enrol from behind one address; guessing codes is not free either.
    if (access?.kind === 'proof') return deps.limitProof(request)
    await identify(request)
    // A stranger has the general budget everywhere: guessing keys must not be free.
    if (!(hasOwnBudget(config) && sessionOf(request))) await deps.limitGeneral(request)
    // A route without an `Access` is not public by mistake: it is for signed-in callers.
    if (access?.kind !== 'local') principalOf(request)
    if (sessionOf(request)?.isEnrolling && !isForEnrolling(config)) throw enrolFirst()
    if (!namesSomething(request.params)) throw new AppError(404, 'there is no record of this name')
  })
  // A body may come an hour after its head: who was signed out meanwhile has kept nothing by that.
  http.addHook('preHandler', async (request) => {
    if (!sessionOf(request) || isRead(request)) return
    if (!(await isStillWelcome(deps.sessions, request))) throw unauthorized()
  })
  http.addHook('onError', auditRefusals(deps.recordAudit))
}

const enrolFirst = () =>
  new AppError(
    403,
    'second factor: your role needs one: enrol it on the sign-in page, or with POST /api/v1/auth/second-factors/totp',
  )

/** PostgreSQL knows no NUL, so no record has it in its name. */
const namesSomething = (params: unknown) =>
  Object.values(params ?? {}).every((value) => !String(value).includes('\0'))

import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import { createHttp, type Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import { describeApi } from '@manara/kit/openapi'
import { API } from './api-description.ts'
import { explainDatabaseFailure } from './db/connection-failure.ts'
import { type AlertDeps, alertRoutes } from './features/alerts/alerts.routes.ts'
import { type AuditDeps, auditRoutes } from './features/audit/audit.routes.ts'
import { type AuthDeps, authRoutes } from './features/auth/auth.routes.ts'
import { casePartRoutes } from './features/cases/case-parts.routes.ts'
import { type CaseDeps, caseRoutes } from './features/cases/cases.routes.ts'
import { evidenceRoutes } from './features/cases/evidence.routes.ts'
import { type EventDeps, eventRoutes } from './features/events/events.routes.ts'
import { healthRoute, type SystemDeps, systemRoutes } from './features/system/system.routes.ts'
import { apiKeyRoutes } from './features/users/api-keys.routes.ts'
import { type UserDeps, userRoutes } from './features/users/users.routes.ts'
import { serveConsole } from './http/console.ts'
import { type GuardDeps, guardRoutes } from './http/guard.ts'

export type AppDeps = {
  logger?: Logger
  tls?: { key: string; cert: string } | undefined
  guard: GuardDeps
  system: SystemDeps
  auth: AuthDeps
  users: UserDeps
  audit: AuditDeps
  events: EventDeps
  alerts: AlertDeps
  cases: CaseDeps
}

export async function buildApp(deps: AppDeps): Promise<Http> {
  const http = createHttp({
    envelope: (detail) => ({ detail }),
    bodyLimit: 1024 * 1024,
    translate: explainDatabaseFailure,
    ...(deps.logger ? { logger: deps.logger } : {}),
    tls: deps.tls,
  })
  await http.register(cookie)
  await http.register(formbody)
  guardRoutes(http, deps.guard)
  await describeApi(http, { ...API, version: deps.system.version })
  await serveConsole(http)
  healthRoute(http, deps.system)
  await http.register(
    async (plugin) => {
      const api = plugin as unknown as Http
      authRoutes(api, deps.auth)
      userRoutes(api, deps.users)
      apiKeyRoutes(api, deps.users)
      systemRoutes(api, deps.system)
      auditRoutes(api, deps.audit)
      eventRoutes(api, deps.events)
      alertRoutes(api, deps.alerts)
      caseRoutes(api, deps.cases)
      casePartRoutes(api, deps.cases)
      evidenceRoutes(api, deps.cases)
    },
    { prefix: '/api/v1' },
  )
  return http
}

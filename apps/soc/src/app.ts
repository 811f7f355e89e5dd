import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import { createHttp, type Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import { describeApi } from '@manara/kit/openapi'
import { API } from './api-description.ts'
import { nameSchemas } from './api-schemas.ts'
import type { Meter } from './core/metrics/meter.ts'
import { explainDatabaseFailure } from './db/connection-failure.ts'
import { serveConsole } from './http/console.ts'
import { countRequests } from './http/count-requests.ts'
import { type GuardDeps, guardRoutes } from './http/guard.ts'
import { type CaseReading, hideCases } from './http/hide-cases.ts'

const DOCUMENT = new URL('../../../docs/api/soc.json', import.meta.url)

export type AppDeps = {
  logger?: Logger
  version: string
  tls?: { key: string; cert: string } | undefined
  /** Who may say in `X-Forwarded-For` whom it forwards for; nobody when empty. */
  trustedProxies: string[]
  guard: GuardDeps
  cases: CaseReading
  meter: Meter
  areas: { routes?(api: Http): void; rootRoutes?(http: Http): void }[]
}

export async function buildApp(deps: AppDeps): Promise<Http> {
  const http = createHttp({
    envelope: (detail) => ({ detail }),
    bodyLimit: 1024 * 1024,
    translate: explainDatabaseFailure,
    ...(deps.logger ? { logger: deps.logger } : {}),
    tls: deps.tls,
    trustProxy: deps.trustedProxies.length > 0 ? deps.trustedProxies : false,
  })
  await http.register(cookie)
  await http.register(formbody)
  countRequests(http, deps.meter)
  guardRoutes(http, deps.guard)
  hideCases(http, deps.cases)
  nameSchemas()
  await describeApi(http, { ...API, version: deps.version, written: DOCUMENT })
  await serveConsole(http)
  for (const area of deps.areas) area.rootRoutes?.(http)
  await http.register(
    async (scope: Http) => {
      for (const area of deps.areas) area.routes?.(scope)
    },
    { prefix: '/api/v1' },
  )
  return http
}

import { createHttp, type Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import { describeApi } from '@manara/kit/openapi'
import { API } from './api-description.ts'
import { explainDatabaseFailure } from './db/connection-failure.ts'
import { healthRoute, type SystemDeps, systemRoutes } from './features/system/system.routes.ts'

export type AppDeps = {
  logger?: Logger
  tls?: { key: string; cert: string } | undefined
  system: SystemDeps
}

export async function buildApp(deps: AppDeps): Promise<Http> {
  const http = createHttp({
    envelope: (detail) => ({ detail }),
    bodyLimit: 1024 * 1024,
    translate: explainDatabaseFailure,
    ...(deps.logger ? { logger: deps.logger } : {}),
    tls: deps.tls,
  })
  await describeApi(http, { ...API, version: deps.system.version })
  healthRoute(http, deps.system)
  await http.register(
    async (api) => {
      systemRoutes(api as Http, deps.system)
    },
    { prefix: '/api/v1' },
  )
  return http
}

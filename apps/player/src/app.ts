import { createHttp, type Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import { describeApi } from '@manara/kit/openapi'
import { API } from './api-description.ts'
import { type TrustDeps, trustRoutes } from './features/trust/trust.routes.ts'
import type { ClientAddress } from './http/client-address.ts'
import { serveDashboard } from './http/dashboard.ts'
import { createTokenCheck, requireDeviceToken } from './http/device-token.ts'
import { withDiskReason } from './http/disk-refusal.ts'
import { requireObjectBody } from './http/object-body.ts'
import type { OriginCheck } from './http/origin-check.ts'
import { limitRates } from './http/rate-limits.ts'
import { refuseStrangers } from './http/refuse-strangers.ts'

export type AppDeps = {
  version: string
  token(): string
  /** Somebody at this address has tried a token that is not the box's own. */
  onTokenFailure?(address: string): void
  trust: TrustDeps
  callers: { originProblem: OriginCheck; clientAddress: ClientAddress }
  logger?: Logger
  tls?: { key: string; cert: string } | undefined
  areas: { routes(api: Http): void }[]
  /** The folder of the dashboard's files, where it is not the one that was built. */
  dashboard?: string
}

const BODY_LIMIT = 16 * 1024

/** The order of the checks is the order of the calls: who asks from where, rate limit, token, body. */
export async function buildApp(deps: AppDeps): Promise<Http> {
  const http = createHttp({
    envelope: (error) => ({ error }),
    bodyLimit: BODY_LIMIT,
    translate: withDiskReason,
    tls: deps.tls,
    ...(deps.logger ? { logger: deps.logger } : {}),
  })
  const isOwner = createTokenCheck(deps.token)
  refuseStrangers(http, deps.callers.originProblem)
  limitRates(http, { isOwner, clientAddress: deps.callers.clientAddress })
  requireDeviceToken(http, isOwner, (request) =>
    deps.onTokenFailure?.(deps.callers.clientAddress(request)),
  )
  requireObjectBody(http)
  await describeApi(http, { ...API, version: deps.version })
  await http.register(
    async (scope) => {
      for (const area of deps.areas) area.routes(scope as Http)
    },
    { prefix: '/api' },
  )
  trustRoutes(http, deps.trust)
  await serveDashboard(http, deps.dashboard)
  return http
}

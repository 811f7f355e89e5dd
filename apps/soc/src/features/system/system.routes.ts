import type { Http } from '@manara/kit/http'
import { Health, type RuntimeMode, RuntimeTruth } from '@manara/soc-contract/system'
import { runtimeTruth } from '../../http/runtime-mode.ts'

export type SystemDeps = { mode: RuntimeMode; version: string; isDatabaseAvailable(): boolean }

/** Outside the prefix and public: says how the service is, even when the database is away. */
export function healthRoute(http: Http, deps: SystemDeps) {
  http.get(
    '/health',
    { schema: { tags: ['system'], summary: 'Health', response: { 200: Health } } },
    (): Health => {
      const up = deps.isDatabaseAvailable()
      return {
        status: up ? 'ok' : 'degraded',
        version: deps.version,
        mode: deps.mode,
        database: up ? 'up' : 'down',
      }
    },
  )
}

export function systemRoutes(http: Http, deps: SystemDeps) {
  http.get(
    '/system/mode',
    { schema: { tags: ['system'], summary: 'Runtime truth', response: { 200: RuntimeTruth } } },
    () => runtimeTruth(deps.mode, deps.isDatabaseAvailable()),
  )
}

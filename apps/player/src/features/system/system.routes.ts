import type { Http } from '@manara/kit/http'
import { SystemStatus } from '@manara/player-contract/system'
import { type SystemDeps, systemStatus } from './system-status.ts'

export function systemRoutes(http: Http, deps: SystemDeps) {
  http.get(
    '/system',
    {
      schema: {
        tags: ['system'],
        summary: 'Version, health and what did not come up',
        response: { 200: SystemStatus },
      },
    },
    () => systemStatus(deps),
  )
}

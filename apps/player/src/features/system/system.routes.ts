import type { Http } from '@manara/kit/http'
import { ResetResult, SleepResult, SystemStatus } from '@manara/player-contract/system'
import { factoryReset, type ResetDeps } from './factory-reset.ts'
import { type SystemDeps, systemStatus } from './system-status.ts'

export type SystemRouteDeps = SystemDeps & {
  fallAsleep(): Promise<SleepResult>
  reset: ResetDeps
}

const tags = ['system']

export function systemRoutes(http: Http, deps: SystemRouteDeps) {
  http.get(
    '/system',
    {
      schema: {
        tags,
        summary: 'Version, health and what did not come up',
        response: { 200: SystemStatus },
      },
    },
    async () => {
      await deps.outputs.look()
      return systemStatus(deps)
    },
  )

  http.post(
    '/system/sleep',
    {
      schema: {
        tags,
        summary: 'Deep sleep until the button, the next schedule or the next adhan',
        response: { 200: SleepResult },
      },
    },
    () => deps.fallAsleep(),
  )

  http.post(
    '/reset',
    {
      schema: {
        tags,
        summary: 'Factory reset; the new token is printed on the console',
        response: { 200: ResetResult },
      },
    },
    () => factoryReset(deps.reset),
  )
}

import type { Http } from '@manara/kit/http'
import { LogRetention, RetentionQuery } from '@manara/soc-contract/siem-retention'
import type { InTurn } from '../../../http/in-turn.ts'
import { requires } from '../../../http/permissions.ts'
import { type RetentionDeps, readRetention } from './read-retention.ts'

export function retentionRoutes(
  http: Http,
  deps: RetentionDeps & { inTurn: InTurn; timeLimitMs: number },
) {
  http.get(
    '/siem/retention',
    {
      ...requires('siem:read'),
      schema: {
        tags: ['siem'],
        summary: 'How long logs stay, and what would go',
        description:
          'With limits in the query: what would go now under those. Nothing is changed: limits are settings of the service (SOC_RETENTION_*), out of reach of a stolen session.',
        querystring: RetentionQuery,
        response: { 200: LogRetention },
      },
    },
    ({ query }, reply) =>
      deps.inTurn(reply, (signal) =>
        readRetention(deps, query, { signal, timeLimitMs: deps.timeLimitMs }),
      ),
  )
}

import type { Http } from '@manara/kit/http'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { requiresElsewhere } from '../../http/permissions.ts'

export type MetricsDeps = { registry: Registry }

/** Outside the prefix, where Prometheus looks for it. */
export function metricsRoute(http: Http, { registry }: MetricsDeps) {
  let isWatching = false
  http.get(
    '/metrics',
    {
      ...requiresElsewhere('metrics:read'),
      schema: { tags: ['system'], summary: 'Numbers for Prometheus' } as object,
    },
    async (_request, reply) => {
      // Watching the event loop costs a little: not before somebody looks.
      if (!isWatching) collectDefaultMetrics({ register: registry })
      isWatching = true
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}

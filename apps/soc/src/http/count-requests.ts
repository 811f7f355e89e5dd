import type { Http } from '@manara/kit/http'
import type { Meter } from '../core/metrics/meter.ts'

/**
 * Every answered request under its route's pattern: what stands in an address, an id or an attempt
 * at one, makes no series of its own. What matches no route is counted as one.
 */
export function countRequests(http: Http, meter: Meter) {
  const requests = meter.counter(
    'soc_http_requests_total',
    'Requests that were answered, by route pattern and status; a stream counts when it ends',
    ['method', 'route', 'status'],
  )
  const seconds = meter.seconds(
    'soc_http_request_duration_seconds',
    'From the request to the end of its answer, by route pattern',
    ['method', 'route'],
  )
  http.addHook('onResponse', async (request, reply) => {
    const { url } = request.routeOptions
    const of = url ? { method: request.method, route: url } : { method: 'any', route: 'none' }
    requests.inc({ ...of, status: String(reply.statusCode) })
    seconds.observe(of, reply.elapsedTime / 1000)
  })
}

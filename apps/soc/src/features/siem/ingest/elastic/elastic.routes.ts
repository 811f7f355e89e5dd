import type { Http } from '@manara/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesLogs } from '../../../../http/permissions.ts'
import { describeRefusal, isTooMuch } from '../describe-refusal.ts'
import { ingestScope } from '../ingest-scope.ts'
import type { IngestDeps } from '../native/ingest.routes.ts'
import type { Part } from '../read/part.ts'
import { itemsOf } from './bulk.ts'
import { indexRoutes } from './index.routes.ts'

/** Of the product whose protocol this is: clients refuse versions far from their own. */
const VERSION = '8.19.0'

const PRODUCT = {
  name: 'manara',
  cluster_name: 'manara',
  cluster_uuid: 'manara',
  version: {
    number: VERSION,
    build_flavor: 'default',
    build_type: 'tar',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
}

const LICENSE = { uid: 'manara', status: 'active', type: 'basic', mode: 'basic' }

const HEALTH = { cluster_name: 'manara', status: 'green', timed_out: false }

/** What clients ask before they send; what they set up, as templates and policies, needs nothing here. */
const HANDSHAKE: Record<string, object> = {
  '/_license': { license: LICENSE },
  '/_xpack': { license: LICENSE, features: { ilm: { available: true, enabled: true } } },
  '/_cluster/health': HEALTH,
  '/_cat/health': [{ cluster: 'manara', status: 'green' }],
  // Filebeat looks in every node for what its modules' pipelines use, and sends nothing where one lacks it.
  '/_nodes/ingest': { cluster_name: 'manara', nodes: {} },
}
const SET_UP = [
  '/_index_template/:name',
  '/_component_template/:name',
  '/_template/:name',
  '/_ilm/policy/:name',
  '/_ingest/pipeline/:name',
  '/_data_stream/:name',
]

const HANDSHAKE_SCHEMA = {
  tags: ['ingest'],
  summary: 'What shippers of Elastic ask and set up before they send',
} as object

type BulkRequest = FastifyRequest<{ Params: { index?: string } }>

/** The part of Elasticsearch's API that its shippers use to send. */
export function elasticRoutes(http: Http, { intake }: IngestDeps) {
  ingestScope(http, 'elastic', intake, (scope, receive) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('x-elastic-product', 'Elasticsearch')
    })
    scope.setErrorHandler((error, _request, reply) => explain(error, reply))
    const options = { ...takesLogs(), schema: HANDSHAKE_SCHEMA }

    // To a browser this path is the console, which is what the document would say of it.
    const first = { ...options, schema: { hide: true } as object }
    scope.get('/', { ...first, constraints: { client: 'elastic' } }, () => PRODUCT)
    for (const [path, answer] of Object.entries(HANDSHAKE)) {
      scope.get(path, options, () => answer)
    }
    scope.get('/_cluster/health/:index', options, () => HEALTH)
    scope.get('/_nodes/http', options, nodesOf)
    scope.get('/_nodes/_all/http', options, nodesOf)
    for (const path of SET_UP) {
      scope.get(path, options, () => ({}))
      scope.put(path, options, () => ({ acknowledged: true }))
      scope.post(path, options, () => ({ acknowledged: true }))
    }
    indexRoutes(scope, receive)
    // Fluent Bit puts a slash behind it where it names a pipeline.
    for (const path of ['/_bulk', '/:index/_bulk', '/_bulk/', '/:index/_bulk/']) {
      for (const method of ['POST', 'PUT'] as const) {
        scope.route({
          ...options,
          schema: {
            tags: ['ingest'],
            summary: 'Log events in the form of a bulk request',
            hide: path.endsWith('/'),
          } as object,
          method,
          url: path,
          handler: async (request: BulkRequest, reply: FastifyReply) => {
            const began = performance.now()
            const { index } = request.params
            // As text at once: half a million of them at the end would hold up everybody else.
            const items: string[] = []
            const onPart = (part: Part) => {
              for (const item of itemsOf(part, index)) items.push(JSON.stringify(item))
            }
            const { rejected } = await receive(
              request,
              reply,
              { kind: 'elastic', index },
              { onPart },
            )
            const took = Math.round(performance.now() - began)
            return reply
              .type('application/json; charset=utf-8')
              .send(`{"took":${took},"errors":${rejected > 0},"items":[${items.join(',')}]}`)
          },
        })
      }
    }
  })
}

/** Clients that look for nodes go on with the addresses they find: the one they asked. */
function nodesOf({ host, protocol }: FastifyRequest) {
  const port = /:\d+$/.test(host) ? '' : protocol === 'https' ? ':443' : ':80'
  const http = { publish_address: `${host}${port}` }
  const roles = ['data', 'ingest', 'master']
  const nodes = { manara: { name: 'manara', version: VERSION, roles, http } }
  return { cluster_name: 'manara', nodes }
}

/**
 * `GET /` is the console to a browser and the product's handshake to a shipper: those sign in with
 * the request itself, or name themselves.
 */
export function tellElasticClients(http: Http) {
  http.addConstraintStrategy({
    name: 'client',
    storage: () => {
      const handlers = new Map<unknown, unknown>()
      return {
        get: (value: unknown) => (handlers.get(value) ?? null) as never,
        set: (value: unknown, handler: unknown) => void handlers.set(value, handler),
      }
    },
    validate: () => true,
    deriveConstraint: ({ headers }: { headers: Record<string, unknown> }) =>
      isElasticClient(headers) ? 'elastic' : undefined,
  })
}

function isElasticClient({ authorization, accept, 'user-agent': agent }: Record<string, unknown>) {
  if (/text\/html/.test(String(accept))) return false
  return (
    /^(ApiKey|Basic) /i.test(String(authorization)) ||
    /elasticsearch/i.test(String(accept)) ||
    /^(elastic|filebeat|winlogbeat|metricbeat|auditbeat|packetbeat|heartbeat|functionbeat|logstash|vector\/|fluent-bit|opensearch)/i.test(
      String(agent),
    )
  )
}

function explain(error: unknown, reply: FastifyReply) {
  const described = describeRefusal(error, reply)
  const { message: reason } = described
  // Its shippers then send the batch in halves; after a 400 they send it again as it is, for ever.
  const status = isTooMuch(described) ? 413 : described.status
  const type = TYPES[status] ?? 'illegal_argument_exception'
  const cause = { type, reason }
  return reply.code(status).send({ error: { root_cause: [cause], ...cause }, status })
}

const TYPES: Record<number, string> = {
  401: 'security_exception',
  403: 'security_exception',
  404: 'resource_not_found_exception',
  429: 'es_rejected_execution_exception',
  503: 'unavailable_shards_exception',
}

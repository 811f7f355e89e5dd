import type { Http } from '@manara/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesLogs } from '../../../../http/permissions.ts'
import { describeRefusal } from '../describe-refusal.ts'
import { ingestScope } from '../ingest-scope.ts'
import type { IngestDeps } from '../native/ingest.routes.ts'

const PROTOBUF = 'application/x-protobuf'

/** OpenTelemetry's logs over HTTP, answered in the form they were sent in. */
export function otlpRoutes(http: Http, { intake }: IngestDeps) {
  ingestScope(http, 'otlp', intake, (scope, receive) => {
    scope.setErrorHandler((error, request, reply) => explain(error, request, reply))
    scope.post(
      '/v1/logs',
      { ...takesLogs(), schema: { tags: ['ingest'], summary: 'Logs of OpenTelemetry' } as object },
      async (request, reply) => {
        const isProto = isProtobuf(request)
        const { rejected, errors } = await receive(request, reply, { kind: 'otlp', isProto })
        const why = `record ${errors[0]?.index} ${errors[0]?.message}`
        if (isProto) return reply.type(PROTOBUF).send(partialMessage(rejected, why))
        const left = { rejectedLogRecords: String(rejected), errorMessage: why }
        return { partialSuccess: rejected > 0 ? left : {} }
      },
    )
  })
}

const isProtobuf = (request: FastifyRequest) =>
  /protobuf/i.test(request.headers['content-type'] ?? '')

// What google.rpc.Status calls them.
const CODES: Record<number, number> = { 400: 3, 401: 16, 403: 7, 409: 9, 429: 8, 503: 14 }

function explain(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, message } = describeRefusal(error, reply)
  const code = CODES[status] ?? 2
  if (!isProtobuf(request)) return reply.code(status).send({ code, message })
  return reply.code(status).type(PROTOBUF).send(statusMessage(code, message))
}

/**
 * `{ partial_success = 1 { int64 rejected_log_records = 1; string error_message = 2 } }`, empty where all
 * was taken. What is left out has a megabyte each: there are never more than one byte can say.
 */
function partialMessage(rejected: number, why: string): Buffer {
  if (rejected === 0) return Buffer.alloc(0)
  const partial = statusMessage(rejected, why)
  return Buffer.concat([Buffer.from([0x0a, partial.length]), partial])
}

/** `Status { int32 code = 1; string message = 2 }`. */
function statusMessage(code: number, message: string): Buffer {
  const text = Buffer.from(message.slice(0, 100), 'ascii')
  return Buffer.concat([Buffer.from([0x08, code, 0x12, text.length]), text])
}

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
        await receive(request, reply, { kind: 'otlp', isProto })
        // Nothing is rejected in part: an empty message says that all was taken.
        if (isProto) return reply.type(PROTOBUF).send(Buffer.alloc(0))
        return { partialSuccess: {} }
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

/** `Status { int32 code = 1; string message = 2 }`. */
function statusMessage(code: number, message: string): Buffer {
  const text = Buffer.from(message.slice(0, 100), 'ascii')
  return Buffer.concat([Buffer.from([0x08, code, 0x12, text.length]), text])
}

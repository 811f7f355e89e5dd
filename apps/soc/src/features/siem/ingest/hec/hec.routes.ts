import type { Http } from '@manara/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionOf } from '../../../../core/identity/caller.ts'
import { open, takesLogs } from '../../../../http/permissions.ts'
import { describeRefusal } from '../describe-refusal.ts'
import { ingestScope } from '../ingest-scope.ts'
import type { IngestDeps } from '../native/ingest.routes.ts'
import type { Rejection } from '../piece.ts'
import { BLANK } from './hec-pieces.ts'

// Splunk's own codes: its clients decide by them whether to send again.
const CODES: Record<number, [status: number, text: string]> = {
  0: [200, 'Success'],
  2: [401, 'Token is required'],
  4: [403, 'Invalid token'],
  5: [400, 'No data'],
  6: [400, 'Invalid data format'],
  9: [503, 'Server is busy'],
  12: [400, 'Event field is required'],
  13: [400, 'Event field cannot be blank'],
  17: [200, 'HEC is healthy'],
}

const MOST_ACK_BYTES = 1024 * 1024

/** Splunk's HTTP Event Collector; a request is stored whole or not at all. */
export function hecRoutes(http: Http, { intake }: IngestDeps) {
  // Docker's logging driver asks so, without its key, before it lets a container start.
  for (const path of ['/event', '/event/1.0']) {
    const options = { ...open(), schema: { hide: true } as object }
    http.options(`/services/collector${path}`, options, (_request, reply) => answer(reply, 17))
  }
  const acknowledged = createAcks()
  ingestScope(http, 'hec', intake, (scope, receive) => {
    scope.setErrorHandler((error, request, reply) => explain(error, request, reply))

    // Many write a slash behind the address that they are given, as Splunk lets them.
    const told = (summary: string, path = '') => ({
      ...takesLogs(),
      schema: { tags: ['ingest'], summary, hide: path.endsWith('/') } as object,
    })
    for (const path of ['', '/', '/event', '/event/', '/event/1.0', '/1.0']) {
      const options = told('Log events in the form of Splunk', path)
      scope.post(`/services/collector${path}`, options, async (request, reply) => {
        const { accepted } = await receive(request, reply, { kind: 'hec' }, { refuse })
        if (accepted === 0) throw hecError(5)
        return answer(reply, 0, acknowledged(request))
      })
    }
    for (const path of ['/raw', '/raw/', '/raw/1.0']) {
      const options = told('Raw lines in the form of Splunk', path)
      scope.post(`/services/collector${path}`, options, async (request, reply) => {
        const query = { ...(request.query as Record<string, unknown>) }
        const { accepted } = await receive(request, reply, { kind: 'hec_raw', query })
        if (accepted === 0) throw hecError(5)
        return answer(reply, 0, acknowledged(request))
      })
    }
    const asked = { ...told('Whether events are on disk'), bodyLimit: MOST_ACK_BYTES }
    scope.post('/services/collector/ack', asked, (request, reply) =>
      reply.send({ acks: onDisk(request.body) }),
    )
    for (const path of ['/health', '/health/1.0']) {
      const options = told('Whether events are taken')
      scope.get(`/services/collector${path}`, options, (_request, reply) => answer(reply, 17))
    }
  })
}

const channelOf = ({ headers, query }: FastifyRequest) =>
  headers['x-splunk-request-channel'] ?? (query as Record<string, unknown>).channel

/** Who names a channel asks later whether its events are on disk. They are: else this is not said. */
function createAcks() {
  // Not those of the process before, of which a client may still wait for some.
  let next = Date.now()
  return (request: FastifyRequest) => (channelOf(request) === undefined ? {} : { ackId: next++ })
}

function onDisk(body: unknown) {
  const { acks: ids } = parsed(body)
  if (!Array.isArray(ids) || !ids.every(Number.isSafeInteger)) throw hecError(6)
  return Object.fromEntries(ids.map((id) => [id, true]))
}

function parsed(body: unknown): { acks?: unknown } {
  try {
    return Object(JSON.parse(String(body)))
  } catch {
    throw hecError(6)
  }
}

type HecError = Error & { hecCode: number; index?: number | undefined }

const hecError = (hecCode: number, index?: number): HecError =>
  Object.assign(new Error(CODES[hecCode]?.[1]), { hecCode, index })

const refuse = ({ index, message, field }: Rejection) =>
  hecError(field === 'event' ? (message === BLANK ? 13 : 12) : 6, index)

function answer(reply: FastifyReply, code: number, more: object = {}) {
  const [status, text] = CODES[code] ?? [500, 'Internal server error']
  return reply
    .code(status)
    .type('application/json')
    .send({ text, code, ...more })
}

function explain(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { hecCode, index } = error as Partial<HecError>
  if (hecCode !== undefined) {
    return answer(reply, hecCode, index === undefined ? {} : { 'invalid-event-number': index })
  }
  const { status, message: detail } = describeRefusal(error, reply)
  if (status === 401) return answer(reply, request.headers.authorization ? 4 : 2)
  if (status === 403) return answer(reply, 4, { detail })
  // Splunk knows no 429, and its clients throw away what a 4xx is said of: they wait and send again after a 503.
  if (status === 503 || (status === 429 && sessionOf(request))) return answer(reply, 9, { detail })
  if (status === 429) return reply.code(status).send({ text: CODES[9]?.[1], code: 9, detail })
  if (status === 409) return reply.code(status).send({ text: detail, code: 23 })
  return answer(reply, 6, { detail })
}

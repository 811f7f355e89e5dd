import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import type { IngestWay } from '@manara/soc-contract/siem-ingest'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionOf } from '../../../core/identity/caller.ts'
import type { Intake, Sender, Taken, TakeOptions } from './intake.ts'
import type { Format } from './read/part.ts'
import { MOST_BODY_BYTES, readBody } from './read-body.ts'

/** What a sender that does not say the length of its body is taken to send. */
const UNSAID_BYTES = 1024 * 1024

export type Receive = (
  request: FastifyRequest,
  reply: FastifyReply,
  format: Format,
  options?: TakeOptions,
) => Promise<Taken>

/**
 * Routes that take events: any content type, as bytes, of a size that suits batches, and none of it
 * read before there is room for it.
 */
export function ingestScope(
  http: Http,
  way: IngestWay,
  intake: Intake,
  routes: (scope: Http, receive: Receive) => void,
) {
  rawBodyScope(http, { mostBytes: MOST_BODY_BYTES }, (scope) => {
    // After the checks of the caller, before the body.
    scope.addHook('preParsing', async (request, reply) => {
      if (request.method === 'GET' || request.method === 'HEAD') return
      const said = Number(request.headers['content-length'] ?? UNSAID_BYTES)
      const size = Number.isFinite(said) ? Math.min(said, MOST_BODY_BYTES) : UNSAID_BYTES
      releaseAfter(reply, intake.admit(way, senderOf(request), size))
    })

    routes(scope, async (request, reply, format, options) => {
      try {
        const packed = request.body
        const body = await readBody(packed, request.headers['content-encoding'])
        if (body !== packed) releaseAfter(reply, intake.claim(way, body.length))
        return await intake.take(way, senderOf(request), { format, body }, options)
      } catch (error) {
        intake.noteUnreadable(way, error)
        throw error
      }
    })
  })
}

/** Counted by key or session, and named as people know it. */
function senderOf(request: FastifyRequest): Sender {
  const session = sessionOf(request)
  const { ip } = request
  return { id: session?.id ?? ip, name: session ? `${session.principal.username} (${ip})` : ip }
}

/** Also when the client goes away in the middle, or went while it was asked who they are. */
function releaseAfter(reply: FastifyReply, release: () => void) {
  if (reply.raw.destroyed) return release()
  reply.raw.once('finish', release)
  reply.raw.once('close', release)
}

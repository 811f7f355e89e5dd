import { unavailable } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { EventStreamHeaders } from '@manara/soc-contract/events'
import type { FastifyRequest } from 'fastify'
import { credentialUsed, principalOf } from '../../core/identity/caller.ts'
import type { LiveSessions } from '../../core/identity/sessions.ts'
import type { Feed } from '../../core/live/feed.ts'
import type { Mode } from '../../core/mode/mode.ts'
import { authenticated } from '../../http/permissions.ts'
import { type EventStream, openEventStream } from './event-stream.ts'

export type EventDeps = {
  feed: Feed
  sessions: LiveSessions
  mode: Mode
  isDatabaseAvailable(): boolean
  keepAliveMs?: number
}

const KEEP_ALIVE_MS = 15_000

export function eventRoutes(http: Http, deps: EventDeps) {
  const streams = new Set<EventStream>()
  // Open streams are requests that never end: shutdown ends them first.
  http.addHook('preClose', async () => {
    for (const stream of streams) stream.end()
  })

  http.get(
    '/events/stream',
    {
      ...authenticated(),
      // A HEAD would have to end, a stream does not.
      exposeHeadRoute: false,
      schema: {
        tags: ['events'],
        summary: 'Changes as they happen, as server-sent events',
        headers: EventStreamHeaders,
      },
    },
    async (request, reply) => {
      const isAway = !deps.isDatabaseAvailable()
      if (isAway && !deps.mode.showsStory) throw unavailable('the database is unavailable')
      reply.hijack()
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': request.id,
        // So that the end of the stream is the end of the connection, and shutdown need not wait.
        connection: 'close',
      })
      const stream = openEventStream(deps.feed, principalOf(request), reply.raw)
      streams.add(stream)
      watch(request, stream)
      // The showcase never changes: its listeners only hear that the line is open.
      if (isAway) return stream.keepAlive()
      await stream.start(request.headers['last-event-id']).catch((error: unknown) => {
        request.log.warn({ err: error }, 'the event stream was cut')
        stream.end()
      })
    },
  )

  /** Ends with the connection, with the service, and with the caller's right to listen. */
  function watch(request: FastifyRequest, stream: EventStream) {
    const { username } = principalOf(request)

    const recheck = async () => {
      if (!(await isStillWelcome(request).catch(() => true))) stream.end()
    }
    const forgetChanges = deps.sessions.onChanged((changed) => {
      if (changed === undefined || changed === username) void recheck()
    })
    const timer = setInterval(() => {
      stream.keepAlive()
      void recheck()
    }, deps.keepAliveMs ?? KEEP_ALIVE_MS)

    request.raw.socket.once('close', () => {
      clearInterval(timer)
      forgetChanges()
      streams.delete(stream)
      stream.end()
    })
  }

  /** A database that is away cannot say: then the stream stays until it can. */
  async function isStillWelcome(request: FastifyRequest): Promise<boolean> {
    const credential = credentialUsed(request)
    if (!credential) return false
    const { ofApiKey, ofToken } = deps.sessions
    const session = await (credential.kind === 'key' ? ofApiKey : ofToken)(credential.value)
    return session !== undefined
  }
}

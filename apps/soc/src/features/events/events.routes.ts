import { AppError, unavailable } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { EventStreamHeaders } from '@manara/soc-contract/events'
import { principalOf } from '../../core/identity/caller.ts'
import type { LiveSessions } from '../../core/identity/sessions.ts'
import type { Feed } from '../../core/live/feed.ts'
import type { Mode } from '../../core/mode/mode.ts'
import { beginEventStream, watchListener } from '../../http/event-stream.ts'
import { authenticated } from '../../http/permissions.ts'
import { type EventStream, type HiddenFrom, openEventStream } from './event-stream.ts'

export type EventDeps = {
  feed: Feed
  sessions: LiveSessions
  mode: Mode
  isDatabaseAvailable(): boolean
  hiddenFrom: HiddenFrom
  keepAliveMs?: number
}

/** More tabs than anybody has: each costs a question to the database with every event of a case. */
const STREAMS_PER_USER = 50
const RETRY_S = 5

export function eventRoutes(http: Http, deps: EventDeps) {
  const streams = new Map<EventStream, string>()
  // Open streams are requests that never end: shutdown ends them first.
  http.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.end()
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
        description: `${STREAMS_PER_USER} streams a user at a time.`,
        headers: EventStreamHeaders,
      },
    },
    async (request, reply) => {
      const isAway = !deps.isDatabaseAvailable()
      if (isAway && !deps.mode.showsStory) throw unavailable('the database is unavailable')
      const principal = principalOf(request)
      const owner = principal.id ?? principal.username
      if ([...streams.values()].filter((one) => one === owner).length >= STREAMS_PER_USER) {
        throw new AppError(429, `events: ${STREAMS_PER_USER} streams at a time, close one first`, {
          retryAfter: RETRY_S,
        })
      }
      const stream = openEventStream(
        deps.feed,
        principal,
        beginEventStream(request, reply),
        deps.hiddenFrom,
      )
      streams.set(stream, owner)
      watchListener(deps, request, stream, () => streams.delete(stream))
      // The showcase never changes: its listeners only hear that the line is open.
      if (isAway) return stream.keepAlive()
      await stream.start(request.headers['last-event-id']).catch((error: unknown) => {
        request.log.warn({ err: error }, 'the event stream was cut')
        stream.end()
      })
    },
  )
}

import { unavailable } from '@manara/kit/errors'
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
      const stream = openEventStream(
        deps.feed,
        principalOf(request),
        beginEventStream(request, reply),
        deps.hiddenFrom,
      )
      streams.add(stream)
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

import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import type { Query } from '@manara/log-query/ast'
import type { LogRecord } from '@manara/log-query/event'
import { compilePredicate } from '@manara/log-query/predicate'
import { LogFilter } from '@manara/soc-contract/siem'
import type { LogBatch } from '../../../core/arrivals/log-batch.ts'
import { principalOf } from '../../../core/identity/caller.ts'
import type { LiveSessions } from '../../../core/identity/sessions.ts'
import { beginEventStream, watchListener } from '../../../http/event-stream.ts'
import { requires } from '../../../http/permissions.ts'
import type { FieldCatalogue } from './domain/field-catalogue.ts'
import { resolveFields } from './domain/resolve-fields.ts'
import { selectionOf } from './domain/selection.ts'
import { type LogTail, openLogTail } from './log-tail.ts'

const TailQuery = LogFilter.omit({ from: true, to: true })
const TAILS_PER_USER = 5
const RETRY_S = 5

export type TailDeps = {
  sessions: LiveSessions
  keepAliveMs?: number | undefined
  now(): number
  names: Pick<FieldCatalogue, 'placesOf' | 'size'>
  /** Every event after it is on disk; answers how to stop listening. */
  onStored(listener: (batch: LogBatch) => Promise<void>): () => void
}

export function tailRoutes(http: Http, deps: TailDeps) {
  const open = new Map<LogTail, string>()
  // Open streams are requests that never end: shutdown ends them first.
  http.addHook('preClose', async () => {
    for (const tail of open.keys()) tail.end()
  })

  http.get(
    '/siem/tail',
    {
      ...requires('siem:search'),
      exposeHeadRoute: false,
      schema: {
        tags: ['siem'],
        summary: 'Log events as they are stored, as server-sent events',
        description:
          'Events: `ready`, `log` with one log event, `skipped` {"count"} when more came than can be shown, or events larger than 64 KB. Of several processes, what this one takes in.',
        querystring: TailQuery,
      },
    },
    async (request, reply) => {
      const { username } = principalOf(request)
      const { q, ...filter } = request.query
      const { query } = selectionOf({ ...filter, query: q }, deps.now())
      if ([...open.values()].filter((name) => name === username).length >= TAILS_PER_USER) {
        throw new AppError(429, `tail: ${TAILS_PER_USER} at a time, close one first`, {
          retryAfter: RETRY_S,
        })
      }
      const matches = matching(query, deps.names)
      const tail = openLogTail(beginEventStream(request, reply), matches)
      open.set(tail, username)
      const leave = deps.onStored((batch) => tail.offer(batch.logs()))
      watchListener(deps, request, tail, () => {
        leave()
        open.delete(tail)
      })
    },
  )
}

/** Names that come later are known then: a stream may be open for days, and before the first event. */
function matching(query: Query, { placesOf, size }: TailDeps['names']) {
  const compiled = () => compilePredicate(resolveFields(query, placesOf))
  let known = size()
  let matches = compiled()
  return (log: LogRecord): boolean => {
    if (size() !== known) matches = compiled()
    known = size()
    return matches(log)
  }
}

import { type Http, writtenAsMade } from '@manara/kit/http'
import { listOf } from '@manara/soc-contract/lists'
import {
  FieldParams,
  FieldValues,
  FieldValuesQuery,
  Histogram,
  HistogramQuery,
  Log,
  LogCount,
  LogFields,
  LogFilter,
  LogLines,
  LogList,
  LogListQuery,
  LogParams,
  LogPromote,
  LogSource,
  Promoted,
  SourceListQuery,
} from '@manara/soc-contract/siem'
import type { Changes } from '../../../core/change/operator-change.ts'
import { principalOf } from '../../../core/identity/caller.ts'
import type { LiveSessions } from '../../../core/identity/sessions.ts'
import { watchWelcome } from '../../../http/event-stream.ts'
import type { InTurn } from '../../../http/in-turn.ts'
import { requires } from '../../../http/permissions.ts'
import { whileConnected } from '../../../http/while-connected.ts'
import { pageOf } from '../../../showcase/query.ts'
import type { SourceHealth } from '../sources/read-health.ts'
import { countByTime } from './count-by-time.ts'
import { countLogs } from './count-logs.ts'
import { selectionOf } from './domain/selection.ts'
import { exportLogs } from './export-logs.ts'
import { listLogs } from './list-logs.ts'
import { listSources, type SourceRate } from './list-sources.ts'
import { toLog } from './log-record.ts'
import { findLog, mayPromote, type Promotion, promoteLog } from './promote-log.ts'
import type { ReadLogs } from './readable-logs.ts'

export type SearchDeps = {
  readLogs: ReadLogs
  inTurn: InTurn
  sourceRates(): ReadonlyMap<string, SourceRate>
  /** Nothing while the database is away. */
  sourceHealth(): Promise<ReadonlyMap<string, SourceHealth>>
  promotion: Promotion
  sessions: LiveSessions
  timeLimitMs: number
  now(): number
} & Pick<Changes, 'operatorChange'>

const tags = ['siem']
const NDJSON = 'application/x-ndjson'
const TOLD = 'What could not be searched in time, or on a shard that is away, is said in `partial`.'

export function searchRoutes(http: Http, deps: SearchDeps) {
  const { readLogs, inTurn, timeLimitMs, now, operatorChange, sessions } = deps

  http.get(
    '/siem/logs',
    {
      ...requires('siem:read'),
      ...writtenAsMade,
      schema: {
        tags,
        summary: 'Search log events, newest first',
        description: `\`q\` is in the query language (docs/query-language.md); a bad one is 400 with the column. \`cursor\` (from \`next_cursor\`) pages without drift; a page of large events ends early, and \`notes\` says so. \`total\` never delays the events: where counting takes more than a glance, \`is_total_exact\` is false and \`GET /siem/count\` has the number. ${TOLD}`,
        querystring: LogListQuery,
        response: { 200: LogList },
      },
    },
    ({ query }, reply) =>
      inTurn(reply, (signal) =>
        readLogs((logs) => listLogs(logs, query, now(), { signal, timeLimitMs })),
      ),
  )

  http.get(
    '/siem/count',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'How many log events a search has',
        description: TOLD,
        querystring: LogFilter,
        response: { 200: LogCount },
      },
    },
    ({ query }, reply) =>
      inTurn(reply, (signal) =>
        readLogs((logs) => countLogs(logs, query, now(), { signal, timeLimitMs })),
      ),
  )

  http.get(
    '/siem/logs/:log_id',
    {
      ...requires('siem:read'),
      ...writtenAsMade,
      schema: { tags, summary: 'One log event', params: LogParams, response: { 200: Log } },
    },
    ({ params }) => readLogs(async (logs) => toLog(await findLog(logs, params.log_id))),
  )

  http.get(
    '/siem/histogram',
    {
      ...requires('siem:read'),
      ...writtenAsMade,
      schema: {
        tags,
        summary: 'Count log events by time',
        description: `The last 24 hours unless \`from\` and \`to\` say otherwise. ${TOLD}`,
        querystring: HistogramQuery,
        response: { 200: Histogram },
      },
    },
    ({ query }, reply) =>
      inTurn(reply, (signal) =>
        readLogs((logs) => countByTime(logs, query, now(), { signal, timeLimitMs })),
      ),
  )

  http.get(
    '/siem/fields',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'The fields of the events, with their types',
        description: TOLD,
        querystring: LogFilter,
        response: { 200: LogFields },
      },
    },
    ({ query: { q, ...filter } }, reply) =>
      inTurn(reply, (signal) =>
        readLogs(async (logs) => {
          const selection = selectionOf({ ...filter, query: q }, now())
          const { fields, partial } = await logs.fields(selection, { signal, timeLimitMs })
          return { items: fields, partial }
        }),
      ),
  )

  http.get(
    '/siem/fields/:name/values',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'The most frequent values of a field',
        description: TOLD,
        params: FieldParams,
        querystring: FieldValuesQuery,
        response: { 200: FieldValues },
      },
    },
    ({ params: { name: field }, query: { q, limit, ...filter } }, reply) =>
      inTurn(reply, (signal) =>
        readLogs(async (logs) => {
          const selection = selectionOf({ ...filter, query: q }, now())
          const found = await logs.topValues(
            { ...selection, field, limit },
            { signal, timeLimitMs },
          )
          return { field, items: found.values, partial: found.partial }
        }),
      ),
  )

  http.get(
    '/siem/export',
    {
      ...requires('siem:read'),
      // A HEAD would read all of it for nobody.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'All matching log events as NDJSON, oldest first',
        description:
          'A stream of any size, one event a line. An answer that breaks off is not whole: the connection then ends without its last chunk, also when its reader is signed out meanwhile.',
        querystring: LogFilter,
        response: {
          200: {
            description: 'One event a line',
            content: { [NDJSON]: { schema: LogLines } },
          },
        },
      },
    },
    async (request, reply) => {
      const { query } = request
      const gone = new AbortController()
      const { lines, partial } = await whileConnected(reply, (left) => {
        left.throwIfAborted()
        // A file of many gigabytes takes hours, in which its reader may be signed out.
        const welcome = watchWelcome(sessions, request, () => reply.raw.destroy())
        reply.raw.once('close', () => {
          welcome.forget()
          gone.abort()
        })
        return readLogs((logs) => exportLogs(logs, query, now(), gone.signal))
      })
      // A file has no place for it: whoever exports is told beside it.
      if (partial) reply.header('x-partial', `${partial.reason}: ${partial.detail}`)
      return reply
        .type(NDJSON)
        .header('content-disposition', 'attachment; filename="logs.ndjson"')
        .send(lines)
    },
  )

  http.post(
    '/siem/logs/:log_id/promote',
    {
      ...requires('alerts:write'),
      schema: {
        tags,
        summary: 'Raise an alert from a log event, and a case with `create_case`',
        description:
          'With `rule_id` the alert is the one that rule would raise, and an active suppression of it that matches the event makes this 409; the rule itself does not raise the event again. `create_case` needs cases:write too. The same event again answers 200 with the same alert.',
        params: LogParams,
        body: LogPromote.nullish(),
        response: { 200: Promoted, 201: Promoted },
      },
    },
    (request, reply) => {
      const body = request.body ?? { create_case: false }
      mayPromote(principalOf(request), body)
      return operatorChange(
        request,
        reply,
        201,
        async (change, log) => {
          const { isNew, ...promoted } = await promoteLog(deps.promotion, change, log, body)
          if (!isNew) reply.code(200)
          return promoted
        },
        () => readLogs((logs) => findLog(logs, request.params.log_id)),
      )
    },
  )

  http.get(
    '/siem/sources',
    {
      ...requires('siem:read'),
      schema: {
        tags,
        summary: 'Who sends events',
        querystring: SourceListQuery,
        response: { 200: listOf(LogSource) },
      },
    },
    ({ query }) =>
      readLogs(async (logs) =>
        pageOf(
          listSources(await logs.sources(), deps.sourceRates(), await deps.sourceHealth(), now()),
          query,
        ),
      ),
  )
}

import type { Http } from '@manara/kit/http'
import {
  AggregateAnswer,
  AggregateQuery,
  AggregateRequest,
} from '@manara/soc-contract/siem-aggregate'
import { z } from 'zod'
import { requires } from '../../../http/permissions.ts'
import { aggregateLogs } from './aggregate-logs.ts'
import { asCsv, asNdjson } from './domain/table-text.ts'
import type { SearchDeps } from './search.routes.ts'

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export function aggregateRoutes(
  http: Http,
  deps: Pick<SearchDeps, 'readLogs' | 'inTurn' | 'timeLimitMs' | 'now'>,
) {
  const { readLogs, inTurn, timeLimitMs, now } = deps

  http.post(
    '/siem/aggregate',
    {
      ...requires('siem:search'),
      schema: {
        tags: ['siem'],
        summary: 'Group log events and measure the groups',
        description:
          'An event with a list is in the group of each of its elements, one without the field in the group null. `format=csv` and `format=ndjson` answer the rows alone.',
        querystring: AggregateQuery,
        body: AggregateRequest,
        response: {
          200: {
            description: 'The table',
            content: {
              'application/json': { schema: AggregateAnswer },
              [TYPES.csv]: { schema: z.string() },
              [TYPES.ndjson]: { schema: z.string() },
            },
          },
        },
      },
    },
    async ({ body, query }, reply) => {
      const answer = await inTurn(reply, (signal) =>
        readLogs((logs) => aggregateLogs(logs, body, now(), { signal, timeLimitMs })),
      )
      if (query.format === 'json') return answer
      const write = query.format === 'csv' ? asCsv : asNdjson
      return reply.type(`${TYPES[query.format]}; charset=utf-8`).send(write(answer))
    },
  )
}

import type { Http } from '@manara/kit/http'
import { IngestAnswer, IngestBody } from '@manara/soc-contract/siem-ingest'
import { takesLogs } from '../../../../http/permissions.ts'
import { ingestScope } from '../ingest-scope.ts'
import type { Intake } from '../intake.ts'

export type IngestDeps = { intake: Intake }

export function ingestRoutes(http: Http, { intake }: IngestDeps) {
  ingestScope(http, 'api', intake, (scope, receive) => {
    scope.post(
      '/siem/logs',
      {
        ...takesLogs(),
        // The body is bytes until its events are taken apart: the schema is for the document.
        validatorCompiler: () => (value) => ({ value }),
        schema: {
          tags: ['siem'],
          summary: 'Send log events',
          description:
            'A list in `events`, a bare list, one event, or with `application/x-ndjson` one a line; lines of `text/plain` that are no JSON are raw text, but for a table (`text/csv`, or names with commas between them and a time in the first row), whose rows are events. May be packed with gzip, deflate or zstd; at most 64 MB unpacked, 500,000 events and 1 MB an event. Events that are none are reported, the others are on disk when this answers. 429 means that nothing was stored.',
          body: IngestBody,
          response: { 200: IngestAnswer },
        },
      },
      async (request, reply): Promise<IngestAnswer> => {
        const contentType = request.headers['content-type'] ?? ''
        const taken = await receive(request, reply, { kind: 'native', contentType })
        const errors = taken.errors.map(({ index, field, message }) => ({ index, field, message }))
        return { ...taken, errors }
      },
    )
  })
}

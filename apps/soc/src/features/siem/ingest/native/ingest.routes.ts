import { invalid } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { IngestAnswer, IngestBody } from '@manara/soc-contract/siem-ingest'
import { takesLogs } from '../../../../http/permissions.ts'
import { objectIn } from '../../normalise/recognise.ts'
import { isEventId, LONGEST_ID } from '../../normalise/take-common.ts'
import { ingestScope } from '../ingest-scope.ts'
import type { Intake, Piece } from '../intake.ts'
import { objectAt, textAt } from './json-pieces.ts'
import { type Span, splitJson, splitLines } from './split-json.ts'

const MOST_ERRORS = 100

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
            'A list in `events`, a bare list, one event, or with `application/x-ndjson` one a line; lines of `text/plain` that are no JSON are raw text. May be packed with gzip, deflate or zstd; at most 64 MB unpacked and 1 MB an event. Events that are none are reported, the others are on disk when this answers. 429 means that nothing was stored.',
          body: IngestBody,
          response: { 200: IngestAnswer },
        },
      },
      async (request, reply): Promise<IngestAnswer> => {
        const type = request.headers['content-type'] ?? ''
        const { logs, rejections } = await receive(request, reply, (body) => piecesOf(type, body))
        return {
          accepted: logs.length,
          rejected: rejections.length,
          errors: rejections.slice(0, MOST_ERRORS),
        }
      },
    )
  })
}

// Many clients call every text plain: what begins like a list of events is one.
const LIST = /^\s*(?:\[\s*\{|\{\s*"events"\s*:\s*\[)/

async function piecesOf(contentType: string, body: Buffer): Promise<Iterable<Piece>> {
  const start = body.toString('latin1', 0, 64)
  if (start.trim() === '') throw invalid('body', 'is empty: send {"events": […]}')
  if (/^text\/plain\b/i.test(contentType) && !LIST.test(start)) {
    return linePieces(body, splitLines(body))
  }
  const isLines = /ndjson|jsonl|json-?lines/i.test(contentType)
  return eventPieces(body, isLines ? splitLines(body) : await splitJson(body))
}

function* eventPieces(body: Buffer, spans: Iterable<Span>): Iterable<Piece> {
  for (const span of spans) {
    const piece = objectAt(body, span)
    yield 'rejected' in piece || piece.text !== undefined ? piece : checked(piece.object)
  }
}

/** Each line is an event of ours in JSON, or a raw text. */
function* linePieces(body: Buffer, spans: Iterable<Span>): Iterable<Piece> {
  for (const span of spans) {
    const piece = textAt(body, span)
    const object = 'rejected' in piece ? undefined : objectIn(piece.text)
    yield object ? checked(object) : piece
  }
}

function checked(object: Record<string, unknown>): Piece {
  const { id } = object
  if (typeof id === 'string' && !isEventId(id)) {
    return { field: 'id', rejected: `must be 1 to ${LONGEST_ID} characters without NUL` }
  }
  const names = Object.keys(object)
  if (names.length === 1 && 'events' in object && !Array.isArray(object.events)) {
    throw invalid('events', 'must be a list of events')
  }
  if (names.length === 0) return { rejected: 'is an empty object' }
  return { object, isEnvelope: true }
}

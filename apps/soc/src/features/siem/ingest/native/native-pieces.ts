import { invalid } from '@manara/kit/errors'
import { objectIn } from '../../normalise/object-in.ts'
import { isEventId, LONGEST_ID } from '../../normalise/take-common.ts'
import { joinBeside } from '../../normalise/unfold.ts'
import type { Piece } from '../piece.ts'
import { type Delivered, deliveredIn } from './delivered.ts'
import { objectAt, textAt } from './json-pieces.ts'
import { beginsList, type Span, skipBlank, splitJson, splitLines } from './split-json.ts'
import { isCsv, rowAt, tableIn } from './split-table.ts'
import { splitTexts } from './split-texts.ts'

/** Where the events of `POST /siem/logs` begin and end, by what the sender calls its body. */
export function nativeSpans(contentType: string, body: Buffer): Iterable<Delivered> {
  if (skipBlank(body, 0) === body.length) throw invalid('body', 'is empty: send {"events": […]}')
  if (isText(contentType, body)) {
    return tableIn(contentType, body)?.rows() ?? eachIn(body, splitTexts(body))
  }
  return eachIn(body, isLines(contentType) ? splitLines(body) : splitJson(body))
}

function* eachIn(body: Buffer, spans: Iterable<Span>): Iterable<Delivered> {
  for (const span of spans) yield* deliveredIn(body, span) ?? [span]
}

const isLines = (contentType: string) => /ndjson|jsonl|json-?lines/i.test(contentType)

// Many clients call every text plain: what begins like a list of events is one.
const isText = (contentType: string, body: Buffer) =>
  (/^text\/plain\b/i.test(contentType) || isCsv(contentType)) &&
  !beginsList(body) &&
  !isDelivered(body)

const isDelivered = (body: Buffer) =>
  deliveredIn(body, [skipBlank(body, 0), body.length]) !== undefined

export function* nativePieces(contentType: string, body: Buffer): Iterable<Piece> {
  const table = isText(contentType, body) ? tableIn(contentType, body) : undefined
  if (table) {
    for (const span of table.rows()) yield rowAt(body, span, table)
    return
  }
  const pieceAt = isText(contentType, body) ? lineAt : eventAt
  let isFirst = true
  let before: string | undefined
  let about: Record<string, unknown> | undefined
  for (const [start, end, beside] of nativeSpans(contentType, body)) {
    const piece = pieceAt(body, [start, end], isFirst)
    if (beside !== before) about = beside === undefined ? undefined : objectIn(beside)
    before = beside
    yield about && 'object' in piece && piece.object
      ? { ...piece, object: joinBeside(about, piece.object) }
      : piece
    isFirst = false
  }
}

function eventAt(body: Buffer, span: Span, isFirst: boolean): Piece {
  const piece = objectAt(body, span)
  return 'rejected' in piece || piece.text !== undefined ? piece : checked(piece.object, isFirst)
}

/** Each line is an event of ours in JSON, or a raw text. */
function lineAt(body: Buffer, span: Span, isFirst: boolean): Piece {
  const piece = textAt(body, span)
  const object = 'rejected' in piece ? undefined : objectIn(piece.text)
  return object ? checked(object, isFirst) : piece
}

function checked(object: Record<string, unknown>, isFirst: boolean): Piece {
  const { id } = object
  if (typeof id === 'string' && !isEventId(id)) {
    return { field: 'id', rejected: `must be 1 to ${LONGEST_ID} characters without NUL` }
  }
  const names = Object.keys(object)
  if (names.length === 1 && 'events' in object && !Array.isArray(object.events)) {
    // As the whole body it is a request gone wrong, among others an event gone wrong.
    if (isFirst) throw invalid('events', 'must be a list of events')
    return { field: 'events', rejected: 'must be a list of events' }
  }
  if (names.length === 0) return { rejected: 'is an empty object' }
  return { object, isEnvelope: true }
}

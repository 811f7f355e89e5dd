import { invalid } from '@manara/kit/errors'
import { storable } from '../../normalise/fields.ts'
import { joinBeside } from '../../normalise/unfold.ts'
import { MOST_EVENT_BYTES, objectAt } from '../native/json-pieces.ts'
import { type Span, splitJson } from '../native/split-json.ts'
import { splitTexts } from '../native/split-texts.ts'
import type { Piece } from '../piece.ts'

export const BLANK = 'cannot be blank'

export function* hecPieces(body: Buffer): Iterable<Piece> {
  for (const span of splitJson(body)) {
    const piece = objectAt(body, span)
    yield 'rejected' in piece || piece.text !== undefined ? piece : eventOf(piece.object)
  }
}

function eventOf(envelope: Record<string, unknown>): Piece {
  const { event, fields } = envelope
  if (event === undefined || event === null) return { field: 'event', rejected: 'is required' }
  if (event === '') return { field: 'event', rejected: BLANK }
  const about = metadataOf(envelope)
  const indexed = fields === undefined || isMap(fields) ? fields : { fields }
  if (isMap(event)) return { object: joinBeside(indexed, unwrapped(event)), ...about }
  const text = typeof event === 'string' ? event : JSON.stringify(event)
  return { text, object: indexed, ...about }
}

/** Where Splunk's libraries and Docker's driver put an object that they are given: it is the event. */
const WRAPS = ['message', 'line']

function unwrapped(event: Record<string, unknown>): Record<string, unknown> {
  for (const wrap of WRAPS) {
    const inner = mapOf(event[wrap])
    if (Object.keys(inner).length === 0) continue
    const { [wrap]: _, ...beside } = event
    return joinBeside(beside, inner)
  }
  return event
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapOf = (value: unknown) => (isMap(value) ? value : {})

/** One event a line, but for those of Windows, all with the metadata of the request. */
export function* hecRawPieces(body: Buffer, query: Record<string, unknown>): Iterable<Piece> {
  const about = metadataOf(query)
  for (const span of rawSpans(body)) yield { text: body.toString('utf8', ...span), ...about }
}

/** A request is stored whole or not at all: 400 where one of them is too large. */
export function* rawSpans(body: Buffer): Iterable<Span> {
  let number = 0
  for (const span of splitTexts(body)) {
    number += 1
    if (span[1] - span[0] > MOST_EVENT_BYTES) {
      throw invalid('body', `event ${number} is larger than 1 MB: nothing was stored`)
    }
    yield span
  }
}

const metadataOf = ({ time, host, source, sourcetype, index }: Record<string, unknown>) => ({
  time,
  known: textsIn({ host, source }),
  extra: textsIn({ sourcetype, index }),
})

function textsIn(said: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name in said) {
    const value = said[name]
    if (typeof value === 'number') texts[name] = String(value)
    else if (typeof value === 'string' && value !== '') texts[name] = storable(value)
  }
  return texts
}

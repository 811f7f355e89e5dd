import { invalid } from '@manara/kit/errors'
import { type Fields, storable } from '../../normalise/fields.ts'
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
  const indexed = fields === undefined ? undefined : mapOf(fields)
  const object = unwrapped(mapOf(event))
  if (typeof event === 'object' && !Array.isArray(event)) {
    return { object: joinBeside(indexed, object), ...about }
  }
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

const mapOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

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

function metadataOf({ time, host, source, sourcetype, index }: Record<string, unknown>) {
  const extra: Fields = {}
  if (typeof sourcetype === 'string') extra.sourcetype = storable(sourcetype)
  if (typeof index === 'string') extra.index = storable(index)
  return {
    time,
    known: {
      ...(typeof host === 'string' && host ? { host: storable(host) } : {}),
      ...(typeof source === 'string' && source ? { source: storable(source) } : {}),
    },
    extra,
  }
}

import { invalid } from '@manara/kit/errors'
import { parseExactly } from '../../normalise/exact-json.ts'
import { isTooDeep, type JsonMap } from '../../normalise/fields.ts'
import type { Incoming } from '../../normalise/normalise.ts'
import { severityOf } from '../../normalise/severity.ts'
import { isSame } from '../../normalise/unfold.ts'
import type { Piece } from '../piece.ts'

export type KeyValue = { key?: string; value?: AnyValue }
export type AnyValue = {
  stringValue?: string
  boolValue?: boolean
  intValue?: string | number
  doubleValue?: number
  arrayValue?: { values?: AnyValue[] }
  kvlistValue?: { values?: KeyValue[] }
  bytesValue?: string
}
export type OtlpRecord = {
  resource: KeyValue[]
  scope: string | undefined
  record: {
    timeUnixNano?: string | number
    observedTimeUnixNano?: string | number
    severityNumber?: number
    severityText?: string
    body?: AnyValue
    attributes?: KeyValue[]
    traceId?: string
    spanId?: string
    eventName?: string
  }
}

/** The records of OTLP's JSON; a body of another shape is 400 with the path that is wrong. */
export function* jsonRecords(body: Buffer): Iterable<OtlpRecord> {
  const text = body.toString('utf8')
  if (isTooDeep(text)) throw invalid('body', 'is nested too deeply')
  let request: unknown
  try {
    request = parseExactly(text)
  } catch {
    throw invalid('body', 'is not valid JSON')
  }
  for (const group of listAt(request, 'resourceLogs')) {
    const resource = listAt(mapAt(group, 'resource'), 'attributes') as KeyValue[]
    for (const scopeLogs of listAt(group, 'scopeLogs')) {
      const { name } = mapAt(scopeLogs, 'scope')
      for (const record of listAt(scopeLogs, 'logRecords')) {
        if (typeof record !== 'object' || record === null) {
          throw invalid('logRecords', 'must hold objects')
        }
        yield { resource, scope: typeof name === 'string' ? name : undefined, record }
      }
    }
  }
}

function listAt(value: unknown, name: string): unknown[] {
  const list = (value as JsonMap | null | undefined)?.[name]
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw invalid(name, 'must be a list')
  return list
}

function mapAt(value: unknown, name: string): JsonMap {
  const map = (value as JsonMap | null | undefined)?.[name]
  return typeof map === 'object' && map !== null ? (map as JsonMap) : {}
}

export function* otlpPieces(records: Iterable<OtlpRecord>): Iterable<Piece> {
  for (const record of records) yield pieceOf(record)
}

function pieceOf({ resource, scope, record }: OtlpRecord): Incoming {
  const { body, traceId, spanId, eventName, severityText, severityNumber } = record
  const object = attributesOf(resource, record.attributes)
  const content = plainOf(body)
  const text = typeof content === 'string' ? content : undefined
  if (text === undefined && content !== undefined && content !== null) put(object, 'body', content)
  if (isMap(content)) addBody(object, content)
  if (scope) put(object, 'otel.scope.name', scope)
  if (traceId) put(object, 'trace_id', traceId)
  if (spanId) put(object, 'span_id', spanId)
  if (severityText) put(object, 'severity_text', severityText)
  if (severityNumber) put(object, 'severity_number', severityNumber)
  if (eventName) put(object, 'event.name', eventName)

  const { timeUnixNano, observedTimeUnixNano } = record
  const severity = severityOf(severityNumber || undefined, 'otel') ?? severityOf(severityText)
  // Beside an attribute of that name the body is the message, and no event inside it is looked for.
  const isMessage = Object.hasOwn(object, 'message')
  return {
    object,
    ...(isMessage ? {} : { text }),
    // Zero means that only the time of collection is known.
    time: Number(timeUnixNano) ? timeUnixNano : observedTimeUnixNano,
    known: {
      ...(isMessage && text !== undefined ? { message: text } : {}),
      ...(severity ? { severity } : {}),
      ...(eventName ? { event_code: eventName } : {}),
    },
    areDotsPaths: true,
  }
}

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A body that is an object is the event: its names are also found without `body.` before them. */
function addBody(object: JsonMap, body: JsonMap) {
  for (const name in body) object[name] ??= body[name]
}

function mapOf(pairs: KeyValue[] | undefined): JsonMap {
  const map: JsonMap = {}
  for (const { key, value } of Array.isArray(pairs) ? pairs : []) {
    if (typeof key === 'string' && key !== '__proto__') put(map, key, plainOf(value))
  }
  return map
}

/** Nothing stops a sender from saying a name twice: then all of it is kept. */
function put(map: JsonMap, name: string, value: unknown) {
  const there = Object.hasOwn(map, name) ? map[name] : undefined
  if (there === undefined || there === null) map[name] = value
  else if (there !== value) map[name] = [there, value].flat()
}

/** Of a name that both have, the event's is the name's, and the other one's stays beside it. */
function attributesOf(resource: KeyValue[], attributes: KeyValue[] | undefined): JsonMap {
  const about = mapOf(resource)
  const own = mapOf(attributes)
  const object: JsonMap = { ...about, ...own }
  for (const name in about) {
    const isBoth = Object.hasOwn(own, name)
    if (isBoth && !isSame(own[name], about[name])) object[`resource.${name}`] ??= about[name]
  }
  return object
}

function plainOf(value: AnyValue | undefined): unknown {
  if (typeof value !== 'object' || value === null) return null
  if (value.stringValue !== undefined) return value.stringValue
  if (value.boolValue !== undefined) return value.boolValue
  if (value.intValue !== undefined) return numberOf(value.intValue)
  if (value.doubleValue !== undefined) return value.doubleValue
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plainOf)
  if (value.kvlistValue) return mapOf(value.kvlistValue.values)
  return value.bytesValue ?? null
}

/** 64-bit numbers are texts in OTLP's JSON; one that would lose digits stays a text. */
function numberOf(value: string | number): string | number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

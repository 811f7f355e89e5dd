import { invalid } from '@manara/kit/errors'
import { parseExactly } from '../../normalise/exact-json.ts'
import { isTooDeep, type JsonMap } from '../../normalise/fields.ts'
import type { Incoming } from '../../normalise/normalise.ts'
import { severityOf } from '../../normalise/severity.ts'
import { isSame, keep } from '../../normalise/unfold.ts'
import type { Piece, Rejected } from '../piece.ts'

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
  /** What all records of the resource share. */
  resource: JsonMap
  /** What all records of the scope share, by its own names. */
  scope: JsonMap
  record: {
    timeUnixNano?: string | number
    observedTimeUnixNano?: string | number
    severityNumber?: number
    severityText?: string
    body?: AnyValue
    attributes?: KeyValue[]
    droppedAttributesCount?: number
    flags?: number
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
  const carry = createCarrying()
  for (const group of listAt(request, 'resourceLogs')) {
    const attributes = listAt(mapAt(group, 'resource'), 'attributes') as KeyValue[]
    const resource = attributesIn('resource', attributes)
    const { length } = JSON.stringify(attributes)
    for (const scopeLogs of listAt(group, 'scopeLogs')) {
      const { name, version, ...said } = mapAt(scopeLogs, 'scope')
      const own = listAt(said, 'attributes') as KeyValue[]
      const scope = scopeOf({
        ...{ name, version, attributes: attributesIn('scope', own) },
        schemas: [group, scopeLogs].map((one) => (one as JsonMap | null)?.schemaUrl),
      })
      const shared = length + JSON.stringify(scope).length
      for (const record of listAt(scopeLogs, 'logRecords')) {
        if (typeof record !== 'object' || record === null) {
          throw invalid('logRecords', 'must hold objects')
        }
        carry(shared)
        yield { resource, scope, record }
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

/** No event has more. */
const MOST_SHARED = 1_000
const MOST_CARRIED = 512 * 1024 * 1024

/** Every record gets all that its resource says: a little of both would be much on disk. */
export function createCarrying() {
  let carried = 0
  return (size: number) => {
    carried += size
    if (carried > MOST_CARRIED) {
      throw invalid('resource', 'says too much for so many records: send fewer at once')
    }
  }
}

export function attributesIn(whose: string, attributes: Iterable<KeyValue>): JsonMap {
  const taken: KeyValue[] = []
  for (const attribute of attributes) {
    if (taken.push(attribute) > MOST_SHARED) {
      throw invalid(whose, `has more than ${MOST_SHARED} attributes`)
    }
  }
  return mapOf(taken)
}

type Scope = {
  name: unknown
  version: unknown
  attributes: JsonMap
  /** Of the resource and of the scope. */
  schemas: unknown[]
}

export function scopeOf({ name, version, attributes, schemas: [ofResource, own] }: Scope): JsonMap {
  const texts = { name, version, schema_url: own, resource_schema_url: ofResource }
  const named = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text)
  const scope: JsonMap = Object.fromEntries(named)
  for (const key in attributes) scope[`attributes.${key}`] = attributes[key]
  return scope
}

export function* otlpPieces(records: Iterable<OtlpRecord | Rejected>): Iterable<Piece> {
  for (const record of records) yield 'rejected' in record ? record : pieceOf(record)
}

function pieceOf({ resource, scope, record }: OtlpRecord): Incoming {
  const { body, traceId, spanId, flags, eventName, severityText, severityNumber } = record
  const { timeUnixNano, observedTimeUnixNano, droppedAttributesCount } = record
  const object = attributesOf(resource, record.attributes)
  const content = plainOf(body)
  const text = typeof content === 'string' ? content : undefined
  if (text === undefined && content !== undefined && content !== null) put(object, 'body', content)
  if (isMap(content)) addBody(object, content)
  for (const name in scope) put(object, `otel.scope.${name}`, scope[name])
  if (traceId) put(object, 'trace_id', traceId)
  if (spanId) put(object, 'span_id', spanId)
  if (flags) put(object, 'trace_flags', flags)
  if (droppedAttributesCount) put(object, 'otel.dropped_attributes_count', droppedAttributesCount)
  const observed = Number(timeUnixNano) ? Number(observedTimeUnixNano) : 0
  if (observed > 0) put(object, 'observed_timestamp', isoOf(observed))
  if (severityText) put(object, 'severity_text', severityText)
  if (severityNumber) put(object, 'severity_number', severityNumber)
  if (eventName) put(object, 'event.name', eventName)

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
      ...(typeof eventName === 'string' && eventName ? { event_code: eventName } : {}),
    },
    areDotsPaths: true,
  }
}

/** The last moment that a date can be is later than any clock says. */
const isoOf = (nanoseconds: number) => new Date(Math.min(nanoseconds / 1e6, 8.64e15)).toISOString()

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A body that is an object is the event: its names are also found without `body.` before them. */
function addBody(object: JsonMap, body: JsonMap) {
  for (const name in body) object[name] ??= body[name]
}

function mapOf(pairs: KeyValue[] | undefined): JsonMap {
  const map: JsonMap = {}
  const again = new Map<string, unknown[]>()
  for (const pair of listOf(pairs)) {
    const name = pair?.key
    if (typeof name !== 'string' || name === '__proto__') continue
    const value = plainOf(pair.value)
    const said = again.get(name)
    if (said) said.push(value)
    else if (Object.hasOwn(map, name)) again.set(name, [map[name], value])
    else map[name] = value
  }
  for (const [name, values] of again) map[name] = together(values)
  return map
}

/** JSON holds whatever its sender put there. */
const listOf = <T>(list: T[] | undefined): T[] => (Array.isArray(list) ? list : [])

/** Nothing stops a sender from saying a name twice: then all of it is kept. */
function together(values: unknown[]): unknown {
  const said = values.filter((value) => value !== null && value !== undefined)
  const [first = null] = said
  return said.every((value) => value === first) ? first : said.flat()
}

function put(map: JsonMap, name: string, value: unknown) {
  map[name] = Object.hasOwn(map, name) ? together([map[name], value]) : value
}

/** Of a name that both have, the event's is the name's, and the other one's stays beside it. */
function attributesOf(about: JsonMap, attributes: KeyValue[] | undefined): JsonMap {
  const own = mapOf(attributes)
  const object: JsonMap = { ...about, ...own }
  for (const name in about) {
    const isBoth = Object.hasOwn(own, name)
    if (isBoth && !isSame(own[name], about[name])) keep(object, `resource.${name}`, about[name])
  }
  return object
}

/** What has none of the protocol's types was written as it is. */
function plainOf(value: AnyValue | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null
  if (value.stringValue !== undefined) return value.stringValue
  if (value.boolValue !== undefined) return value.boolValue
  if (value.intValue !== undefined) return numberOf(value.intValue)
  if (value.doubleValue !== undefined) return value.doubleValue
  if (value.arrayValue) return listOf(value.arrayValue.values).map(plainOf)
  if (value.kvlistValue) return mapOf(value.kvlistValue.values)
  return value.bytesValue ?? (Object.keys(value).length > 0 ? value : null)
}

/** 64-bit numbers are texts in OTLP's JSON; one that would lose digits stays a text. */
function numberOf(value: string | number): string | number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

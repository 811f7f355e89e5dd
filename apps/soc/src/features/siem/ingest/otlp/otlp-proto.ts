import { MOST_EVENT_BYTES, tooLarge } from '../native/json-pieces.ts'
import type { Rejected } from '../piece.ts'
import {
  type AnyValue,
  createCarrying,
  type KeyValue,
  type OtlpRecord,
  resourceOf,
} from './otlp-pieces.ts'
import { doubleIn, wireFields } from './wire-reader.ts'

/** The records of an ExportLogsServiceRequest, in the shape that OTLP's JSON has. */
export function* protoRecords(body: Buffer): Iterable<OtlpRecord | Rejected> {
  const carry = createCarrying()
  for (const { number, bytes } of wireFields(body)) {
    if (number === 1) yield* resourceLogs(bytes, carry)
  }
}

// Fields may come in any order: what is said of all records is looked for before the first of them.
function* resourceLogs(
  message: Buffer,
  carry: (size: number) => void,
): Iterable<OtlpRecord | Rejected> {
  const resource = resourceOf(resourceAttributes(message))
  let size = 0
  for (const { number, bytes } of wireFields(message)) if (number === 1) size += bytes.length
  for (const { number, bytes } of wireFields(message)) {
    if (number !== 2) continue
    for (const record of scopeLogs(bytes, resource)) {
      carry(size)
      yield record
    }
  }
}

function* resourceAttributes(message: Buffer): Iterable<KeyValue> {
  for (const { number, bytes } of wireFields(message)) if (number === 1) yield* pairsIn(bytes)
}

function* scopeLogs(
  message: Buffer,
  resource: OtlpRecord['resource'],
): Iterable<OtlpRecord | Rejected> {
  const scope = scopeName(message)
  for (const { number, bytes } of wireFields(message)) {
    if (number !== 2) continue
    yield bytes.length > MOST_EVENT_BYTES ? tooLarge : { resource, scope, record: logRecord(bytes) }
  }
}

function scopeName(message: Buffer): string | undefined {
  let name: string | undefined
  for (const { number, bytes } of wireFields(message)) {
    if (number !== 1) continue
    for (const field of wireFields(bytes)) if (field.number === 1) name = field.bytes.toString()
  }
  return name
}

function logRecord(message: Buffer): OtlpRecord['record'] {
  const record: OtlpRecord['record'] = { attributes: [] }
  for (const { number, value, bytes } of wireFields(message)) {
    if (number === 1) record.timeUnixNano = String(value)
    else if (number === 2) record.severityNumber = Number(value)
    else if (number === 3) record.severityText = bytes.toString()
    else if (number === 5) record.body = anyValue(bytes)
    else if (number === 6) record.attributes?.push(keyValue(bytes))
    else if (number === 9) record.traceId = bytes.toString('hex')
    else if (number === 10) record.spanId = bytes.toString('hex')
    else if (number === 11) record.observedTimeUnixNano = String(value)
    else if (number === 12) record.eventName = bytes.toString()
  }
  return record
}

function* pairsIn(message: Buffer, depth = 0): Iterable<KeyValue> {
  for (const { number, bytes } of wireFields(message)) {
    if (number === 1) yield keyValue(bytes, depth)
  }
}

function keyValue(message: Buffer, depth = 0): KeyValue {
  const pair: KeyValue = { key: '' }
  for (const { number, bytes } of wireFields(message)) {
    if (number === 1) pair.key = bytes.toString()
    if (number === 2) pair.value = anyValue(bytes, depth)
  }
  return pair
}

const MOST_DEPTH = 32

/** Deeper values stay bytes: the wire sets no bound, the stack does. */
function anyValue(message: Buffer, depth = 0): AnyValue {
  if (depth > MOST_DEPTH) return { bytesValue: message.toString('base64') }
  let found: AnyValue = {}
  for (const { number, value, bytes } of wireFields(message)) {
    if (number === 1) found = { stringValue: bytes.toString() }
    else if (number === 2) found = { boolValue: value !== 0n }
    else if (number === 3) found = { intValue: String(BigInt.asIntN(64, value)) }
    else if (number === 4) found = { doubleValue: doubleIn(bytes) }
    else if (number === 5) found = { arrayValue: { values: listIn(bytes, depth + 1) } }
    else if (number === 6) found = { kvlistValue: { values: [...pairsIn(bytes, depth + 1)] } }
    else if (number === 7) found = { bytesValue: bytes.toString('base64') }
  }
  return found
}

function listIn(message: Buffer, depth: number): AnyValue[] {
  const values: AnyValue[] = []
  for (const { number, bytes } of wireFields(message))
    if (number === 1) values.push(anyValue(bytes, depth))
  return values
}

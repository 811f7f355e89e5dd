import { MOST_EVENT_BYTES, tooLarge } from '../native/json-pieces.ts'
import type { Rejected } from '../piece.ts'
import {
  type AnyValue,
  attributesIn,
  createCarrying,
  type KeyValue,
  type OtlpRecord,
  scopeOf,
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
  const about = messageAt(message, 1)
  const resource = attributesIn('resource', pairsIn(about))
  const schema = textAt(message, 3)
  for (const { number, bytes } of wireFields(message)) {
    if (number !== 2) continue
    const own = messageAt(bytes, 1)
    const scope = scopeOf({
      ...{ name: textAt(own, 1), version: textAt(own, 2) },
      attributes: attributesIn('scope', pairsIn(own, 3)),
      schemas: [schema, textAt(bytes, 3)],
    })
    const shared = about.length + JSON.stringify(scope).length
    for (const record of recordsIn(bytes)) {
      carry(shared)
      yield 'rejected' in record ? record : { resource, scope, record }
    }
  }
}

function* recordsIn(message: Buffer): Iterable<OtlpRecord['record'] | Rejected> {
  for (const { number, bytes } of wireFields(message)) {
    if (number === 2) yield bytes.length > MOST_EVENT_BYTES ? tooLarge : logRecord(bytes)
  }
}

/** What stands at a field in parts is one message: protobuf lets them be joined. */
function messageAt(message: Buffer, at: number): Buffer {
  const parts: Buffer[] = []
  for (const { number, bytes } of wireFields(message)) if (number === at) parts.push(bytes)
  return Buffer.concat(parts)
}

function textAt(message: Buffer, at: number): string | undefined {
  let text: string | undefined
  for (const { number, bytes } of wireFields(message)) if (number === at) text = bytes.toString()
  return text
}

function logRecord(message: Buffer): OtlpRecord['record'] {
  const record: OtlpRecord['record'] = { attributes: [] }
  for (const { number, value, bytes } of wireFields(message)) {
    if (number === 1) record.timeUnixNano = String(value)
    else if (number === 2) record.severityNumber = Number(value)
    else if (number === 3) record.severityText = bytes.toString()
    else if (number === 5) record.body = anyValue(bytes)
    else if (number === 6) record.attributes?.push(keyValue(bytes))
    else if (number === 7) record.droppedAttributesCount = Number(value)
    else if (number === 8) record.flags = Number(value)
    else if (number === 9) record.traceId = bytes.toString('hex')
    else if (number === 10) record.spanId = bytes.toString('hex')
    else if (number === 11) record.observedTimeUnixNano = String(value)
    else if (number === 12) record.eventName = bytes.toString()
  }
  return record
}

function* pairsIn(message: Buffer, at = 1, depth = 0): Iterable<KeyValue> {
  for (const { number, bytes } of wireFields(message)) {
    if (number === at) yield keyValue(bytes, depth)
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
    else if (number === 6) found = { kvlistValue: { values: [...pairsIn(bytes, 1, depth + 1)] } }
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

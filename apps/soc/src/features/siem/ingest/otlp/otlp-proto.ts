import type { AnyValue, KeyValue, OtlpRecord } from './otlp-pieces.ts'
import { wireFields } from './wire-reader.ts'

/** The records of an ExportLogsServiceRequest, in the shape that OTLP's JSON has. */
export function* protoRecords(body: Buffer): Iterable<OtlpRecord> {
  for (const { number, bytes } of wireFields(body)) if (number === 1) yield* resourceLogs(bytes)
}

function* resourceLogs(message: Buffer): Iterable<OtlpRecord> {
  const resource: KeyValue[] = []
  const scopes: Buffer[] = []
  // Fields may come in any order: the resource is known only at the end.
  for (const { number, bytes } of wireFields(message)) {
    if (number === 1) resource.push(...attributesIn(bytes, 1))
    if (number === 2) scopes.push(bytes)
  }
  for (const scope of scopes) yield* scopeLogs(scope, resource)
}

function* scopeLogs(message: Buffer, resource: KeyValue[]): Iterable<OtlpRecord> {
  const records: Buffer[] = []
  let scope: string | undefined
  for (const { number, bytes } of wireFields(message)) {
    if (number === 1) {
      for (const field of wireFields(bytes)) if (field.number === 1) scope = field.bytes.toString()
    }
    if (number === 2) records.push(bytes)
  }
  for (const record of records) yield { resource, scope, record: logRecord(record) }
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

function attributesIn(message: Buffer, place: number, depth = 0): KeyValue[] {
  const attributes: KeyValue[] = []
  for (const { number, bytes } of wireFields(message)) {
    if (number === place) attributes.push(keyValue(bytes, depth))
  }
  return attributes
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
    else if (number === 4) found = { doubleValue: bytes.readDoubleLE() }
    else if (number === 5) found = { arrayValue: { values: listIn(bytes, depth + 1) } }
    else if (number === 6) found = { kvlistValue: { values: attributesIn(bytes, 1, depth + 1) } }
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

/** One value that a gateway reports. Later messages may name it by its alias alone. */
export type Metric = {
  name: string | null
  alias: string | null
  value: string | number | boolean | null
}

export type SparkplugMessage = {
  group: string
  kind: 'NBIRTH' | 'NDEATH' | 'NDATA' | 'DBIRTH' | 'DDEATH' | 'DDATA'
  node: string
  device: string | undefined
}

const TOPIC = /^spBv1\.0\/([^/]+)\/([ND](?:BIRTH|DEATH|DATA))\/([^/]+)(?:\/([^/]+))?$/

/** Commands and the state of hosts are none of our business: undefined. */
export function readTopic(topic: string): SparkplugMessage | undefined {
  const [, group, kind, node, device] = TOPIC.exec(topic) ?? []
  if (!group || !kind || !node || kind.startsWith('D') !== (device !== undefined)) return undefined
  return { group, kind: kind as SparkplugMessage['kind'], node, device }
}

const MOST_METRICS = 5_000

/**
 * The metrics of a payload of Sparkplug B; undefined when it is no such payload. What a gateway kept
 * while it was offline and sends afterwards is marked as such: it is not how things are now.
 */
export function readMetrics(payload: Buffer): Metric[] | undefined {
  try {
    const metrics = fieldsOf(payload).filter(({ id }) => id === METRICS)
    return metrics.slice(0, MOST_METRICS).flatMap(({ value }) => metricOf(value as Buffer) ?? [])
  } catch {
    return undefined
  }
}

// Fields of the Eclipse Sparkplug B schema (sparkplug_b.proto).
const METRICS = 2
const NAME = 1
const ALIAS = 2
const DATATYPE = 4
const IS_HISTORICAL = 5
const IS_NULL = 7
const INT = 10
const LONG = 11
const FLOAT = 12
const DOUBLE = 13
const BOOLEAN = 14
const STRING = 15
// Int8, Int16, Int32 and Int64 come as the unsigned number of the same bits.
const SIGNED_BITS: Record<number, number> = { 1: 8, 2: 16, 3: 32, 4: 64 }

function metricOf(bytes: Buffer): Metric | undefined {
  const fields = new Map(fieldsOf(bytes).map(({ id, value }) => [id, value]))
  if (fields.get(IS_HISTORICAL) === 1n) return undefined
  const alias = fields.get(ALIAS)
  return {
    name: fields.has(NAME) ? (fields.get(NAME) as Buffer).toString('utf8') : null,
    alias: alias === undefined ? null : String(alias),
    value: fields.get(IS_NULL) === 1n ? null : reported(fields),
  }
}

function reported(fields: Map<number, bigint | Buffer>): Metric['value'] {
  const bits = SIGNED_BITS[Number(fields.get(DATATYPE) ?? 0)]
  const whole = fields.get(INT) ?? fields.get(LONG)
  if (typeof whole === 'bigint') return numberOf(bits ? BigInt.asIntN(bits, whole) : whole)
  const [float, double, text] = [FLOAT, DOUBLE, STRING].map((id) => fields.get(id))
  if (Buffer.isBuffer(float)) return finite(float.readFloatLE())
  if (Buffer.isBuffer(double)) return finite(double.readDoubleLE())
  if (Buffer.isBuffer(text)) return text.toString('utf8')
  const yes = fields.get(BOOLEAN)
  return typeof yes === 'bigint' ? yes !== 0n : null
}

/** What JavaScript's numbers cannot hold stays exact as text. */
const numberOf = (value: bigint) =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
const finite = (value: number) => (Number.isFinite(value) ? value : String(value))

type Field = { id: number; value: bigint | Buffer }

/** Protocol buffers: a number and a kind before each value. Throws on what is cut off or unknown. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes.readUInt8(at)
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new RangeError('a number without an end')
  }
  const slice = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('cut off')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const kind = key & 7
    if (kind === 0) fields.push({ id: key >>> 3, value: varint() })
    else if (kind === 1) fields.push({ id: key >>> 3, value: slice(8) })
    else if (kind === 2) fields.push({ id: key >>> 3, value: slice(Number(varint())) })
    else if (kind === 5) fields.push({ id: key >>> 3, value: slice(4) })
    else throw new RangeError('an unknown kind of field')
  }
  return fields
}

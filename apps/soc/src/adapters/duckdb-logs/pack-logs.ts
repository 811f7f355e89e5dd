import { encodeFields } from '@manara/log-query/duckdb-fields'
import { TEXT_FIELDS } from '@manara/log-query/event'
import type { PackedLogs, StoredLog } from '../../ports/log-store.ts'
import { type Hashes, hashInto } from './id-hashes.ts'
import {
  type DuckdbPacked,
  layoutOf,
  readPacked,
  TEXT_COLUMNS,
  TEXTS,
  textsOf,
} from './packed-logs.ts'
import { createRollupKeys } from './rollup.ts'
import { toLog } from './to-log.ts'

/** One column while it is written; all memory here is used again for the next batch. */
type Column = { heap: Buffer; used: number; starts: Uint32Array; isNull: Uint8Array }

const FIRST_ROWS = 512
const FIRST_BYTES = 64 * 1024
/** After events that were this large the memory is given back. */
const MOST_KEPT = 1024 * 1024
const SHORT_TEXT = 32

const newColumn = (): Column => ({
  heap: Buffer.allocUnsafeSlow(FIRST_BYTES),
  used: 0,
  starts: new Uint32Array(1),
  isNull: new Uint8Array(0),
})

const columns = TEXT_COLUMNS.map(newColumn)
const others: string[] = []
let rows = 0
let capacity = 0
let at = new Float64Array(0)
let received = new Float64Array(0)
let pairOf = new Uint32Array(0)
let hashes: Hashes = new Uint32Array(0)
let keys = createRollupKeys()

/** One after the other; another may begin when this one is finished or given up. */
export function beginPack() {
  rows = 0
  keys = createRollupKeys()
  for (const column of columns) clear(column)
  return { add: addRow, finish }
}

/** Events as the store writes them, in one piece of memory that goes to its thread without a copy. */
export function packLogs(logs: StoredLog[]): DuckdbPacked {
  const pack = beginPack()
  for (const log of logs) pack.add(log)
  return pack.finish()
}

/** The same events again. */
export function unpackLogs(packed: PackedLogs): StoredLog[] {
  const { rows, at, received, texts } = readPacked(packed as DuckdbPacked)
  const columns = TEXT_COLUMNS.map((name) => textsOf(texts[name]))
  return Array.from({ length: rows }, (_, row) =>
    toLog([at[row], received[row], ...columns.map((column) => column[row])]),
  )
}

function addRow(log: StoredLog) {
  if (rows === capacity) makeRoom(Math.max(FIRST_ROWS, 2 * rows))
  at[rows] = log.at
  received[rows] = log.received_at
  pairOf[rows] = keys.numberOf(log.source, log.severity)
  hashInto(hashes, log, rows * 3)
  for (let n = 0; n < TEXTS.length; n++) {
    add(columns[n] as Column, log[TEXTS[n] as (typeof TEXTS)[number]])
  }
  const fields = encodeFields(log.fields, textsBesideMessage(log))
  add(columns[TEXTS.length] as Column, fields.names)
  add(columns[TEXTS.length + 1] as Column, fields.vals)
  add(columns[TEXTS.length + 2] as Column, fields.sep)
  add(columns[TEXTS.length + 3] as Column, fields.kinds)
  rows += 1
}

function finish(): DuckdbPacked {
  const heapBytes = columns.map(({ used }) => used)
  const layout = layoutOf(rows, heapBytes)
  const bytes = new ArrayBuffer(layout.bytes)
  new Float64Array(bytes, layout.at, rows).set(at.subarray(0, rows))
  new Float64Array(bytes, layout.received, rows).set(received.subarray(0, rows))
  new Uint32Array(bytes, layout.hashes, rows * 3).set(hashes.subarray(0, rows * 3))
  new Uint32Array(bytes, layout.pairOf, rows).set(pairOf.subarray(0, rows))
  for (const [n, { heap, used, starts, isNull }] of columns.entries()) {
    starts[rows] = used
    new Uint32Array(bytes, layout.starts[n], rows + 1).set(starts.subarray(0, rows + 1))
    new Uint8Array(bytes, layout.isNull[n], rows).set(isNull.subarray(0, rows))
    new Uint8Array(bytes, layout.heaps[n], used).set(heap.subarray(0, used))
  }
  return { rows, bytes, pairs: keys.pairs, heapBytes }
}

/** For so many rows; what was written stays. */
function makeRoom(most: number) {
  capacity = most
  at = moved(at, new Float64Array(most))
  received = moved(received, new Float64Array(most))
  pairOf = moved(pairOf, new Uint32Array(most))
  hashes = moved(hashes, new Uint32Array(most * 3))
  for (const column of columns) {
    column.starts = moved(column.starts, new Uint32Array(most + 1))
    column.isNull = moved(column.isNull, new Uint8Array(most))
  }
}

function moved<Numbers extends Float64Array | Uint32Array | Uint8Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from)
  return to
}

function clear(column: Column) {
  column.used = 0
  if (column.heap.length > MOST_KEPT) column.heap = Buffer.allocUnsafeSlow(FIRST_BYTES)
}

function add(column: Column, text: string | null) {
  column.starts[rows] = column.used
  column.isNull[rows] = text === null ? 1 : 0
  if (!text) return
  if (column.used + text.length * 3 > column.heap.length) {
    const larger = Buffer.allocUnsafeSlow((column.used + text.length * 3) * 2)
    column.heap.copy(larger, 0, 0, column.used)
    column.heap = larger
  }
  column.used +=
    text.length <= SHORT_TEXT
      ? writeShort(column.heap, text, column.used)
      : column.heap.write(text, column.used, 'utf8')
}

/** Letter by letter: most texts are so short that to call for it takes longer than to do it. */
function writeShort(heap: Buffer, text: string, start: number): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return heap.write(text, start, 'utf8')
    heap[start + at] = unit
  }
  return text.length
}

/** What free text has to find beside the message and the fields. */
function textsBesideMessage(log: StoredLog): string[] {
  others.length = 0
  for (const name of TEXT_FIELDS) {
    const text = log[name]
    if (name !== 'message' && text && !log.message.includes(text)) others.push(text)
  }
  return others
}

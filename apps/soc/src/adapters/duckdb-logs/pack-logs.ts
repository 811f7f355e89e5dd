import { encodeFields } from '@manara/log-query/duckdb-fields'
import { TEXT_FIELDS } from '@manara/log-query/event'
import type { StoredLog } from '../../ports/log-store.ts'
import { hashesOf } from './id-hashes.ts'
import { type DuckdbPacked, layoutOf, TEXT_COLUMNS, TEXTS } from './packed-logs.ts'
import { createRollupKeys } from './rollup.ts'

/** One column while it is written; its memory is used again for the next batch. */
type Column = { heap: Buffer; used: number; starts: Uint32Array; isNull: Uint8Array }

const FIRST_BYTES = 64 * 1024
/** After events that were this large the memory is given back. */
const MOST_KEPT = 1024 * 1024
const SHORT_TEXT = 32

const newColumn = (): Column => ({
  heap: Buffer.allocUnsafeSlow(FIRST_BYTES),
  used: 0,
  starts: new Uint32Array(0),
  isNull: new Uint8Array(0),
})

const columns = TEXT_COLUMNS.map(newColumn)
const others: string[] = []

/** Events as the store writes them, in one piece of memory that goes to its thread without a copy. */
export function packLogs(logs: StoredLog[]): DuckdbPacked {
  const rows = logs.length
  for (const column of columns) clear(column, rows)
  const keys = createRollupKeys()
  const at = new Float64Array(rows)
  const received = new Float64Array(rows)
  const pairOf = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) {
    const log = logs[row] as StoredLog
    at[row] = log.at
    received[row] = log.received_at
    pairOf[row] = keys.numberOf(log.source, log.severity)
    for (let n = 0; n < TEXTS.length; n++) {
      add(columns[n] as Column, row, log[TEXTS[n] as (typeof TEXTS)[number]])
    }
    const fields = encodeFields(log.fields, textsBesideMessage(log))
    add(columns[TEXTS.length] as Column, row, fields.names)
    add(columns[TEXTS.length + 1] as Column, row, fields.vals)
    add(columns[TEXTS.length + 2] as Column, row, fields.sep)
    add(columns[TEXTS.length + 3] as Column, row, fields.kinds)
  }
  const heapBytes = columns.map(({ used }) => used)
  const layout = layoutOf(rows, heapBytes)
  const bytes = new ArrayBuffer(layout.bytes)
  new Float64Array(bytes, layout.at, rows).set(at)
  new Float64Array(bytes, layout.received, rows).set(received)
  new Uint32Array(bytes, layout.hashes, rows * 3).set(hashesOf(logs))
  new Uint32Array(bytes, layout.pairOf, rows).set(pairOf)
  for (const [n, { heap, used, starts, isNull }] of columns.entries()) {
    starts[rows] = used
    new Uint32Array(bytes, layout.starts[n], rows + 1).set(starts.subarray(0, rows + 1))
    new Uint8Array(bytes, layout.isNull[n], rows).set(isNull.subarray(0, rows))
    new Uint8Array(bytes, layout.heaps[n], used).set(heap.subarray(0, used))
  }
  return { rows, bytes, pairs: keys.pairs, heapBytes }
}

function clear(column: Column, rows: number) {
  column.used = 0
  if (column.heap.length > MOST_KEPT) column.heap = Buffer.allocUnsafeSlow(FIRST_BYTES)
  if (column.isNull.length >= rows) return
  column.starts = new Uint32Array(rows + 1)
  column.isNull = new Uint8Array(rows)
}

function add(column: Column, row: number, text: string | null) {
  column.starts[row] = column.used
  column.isNull[row] = text === null ? 1 : 0
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

import { isAscii } from 'node:buffer'
import { COMMON_FIELDS } from '@manara/log-query/event'
import type { PackedLogs } from '../../ports/log-store.ts'
import type { Hashes } from './id-hashes.ts'

/** The columns of texts, in the order they are written and read. */
export const TEXTS = [...COMMON_FIELDS, 'original'] as const
const FIELD_COLUMNS = ['names', 'vals', 'sep', 'kinds'] as const
export const TEXT_COLUMNS = [...TEXTS, ...FIELD_COLUMNS]
type TextColumn = (typeof TEXT_COLUMNS)[number]

/** The texts of a column one after the other: that of a row is from its start to the next one's. */
export type PackedTexts = { starts: Uint32Array; isNull: Uint8Array; heap: Buffer }

/** Events by column, as they stand in one piece of memory. */
export type LogBatch = {
  rows: number
  at: Float64Array
  received: Float64Array
  /** Of the ids, with the second of arrival. */
  hashes: Hashes
  /** Which source and severity each event has. */
  pairOf: Uint32Array
  pairs: readonly (readonly [source: string, severity: string])[]
  texts: Record<TextColumn, PackedTexts>
}

/** Some rows of a batch, one after the other. */
export type Slice = { batch: LogBatch; from: number; to: number }

export type DuckdbPacked = PackedLogs & {
  rows: number
  pairs: readonly (readonly [source: string, severity: string])[]
  /** How many bytes the texts of each column have. */
  heapBytes: number[]
}

export const copyOf = (packed: DuckdbPacked): DuckdbPacked => ({
  ...packed,
  bytes: packed.bytes.slice(0),
})

/** Where each part lies: numbers begin at multiples of eight. */
export function layoutOf(rows: number, heapBytes: number[]) {
  let end = 0
  const take = (bytes: number) => {
    const start = end
    end += Math.ceil(bytes / 8) * 8
    return start
  }
  const layout = {
    at: take(rows * 8),
    received: take(rows * 8),
    hashes: take(rows * 12),
    pairOf: take(rows * 4),
    starts: heapBytes.map(() => take((rows + 1) * 4)),
    isNull: heapBytes.map(() => take(rows)),
    heaps: heapBytes.map(take),
  }
  return { ...layout, bytes: end }
}

/** Looks at the memory where it is. */
export function readPacked({ rows, bytes, pairs, heapBytes }: DuckdbPacked): LogBatch {
  const layout = layoutOf(rows, heapBytes)
  const texts = TEXT_COLUMNS.map((name, at): [TextColumn, PackedTexts] => [
    name,
    {
      starts: new Uint32Array(bytes, layout.starts[at], rows + 1),
      isNull: new Uint8Array(bytes, layout.isNull[at], rows),
      heap: Buffer.from(bytes, layout.heaps[at], heapBytes[at]),
    },
  ])
  return {
    ...{ rows, pairs },
    at: new Float64Array(bytes, layout.at, rows),
    received: new Float64Array(bytes, layout.received, rows),
    hashes: new Uint32Array(bytes, layout.hashes, rows * 3),
    pairOf: new Uint32Array(bytes, layout.pairOf, rows),
    texts: Object.fromEntries(texts) as Record<TextColumn, PackedTexts>,
  }
}

/** At once, instead of when the thread next cleans up: nothing of the batch can be read then. */
export function giveBack({ at }: LogBatch) {
  if (at.buffer instanceof ArrayBuffer) at.buffer.transfer(0)
}

export const wholeOf = (batch: LogBatch): Slice => ({ batch, from: 0, to: batch.rows })

export function textAt({ starts, isNull, heap }: PackedTexts, row: number): string | null {
  return isNull[row] === 1 ? null : heap.toString('utf8', starts[row], starts[row + 1])
}

/** Of all rows; most columns have letters of one byte only, whose text is cut instead of read anew. */
export function textsOf(column: PackedTexts): (string | null)[] {
  const { starts, isNull, heap } = column
  const all = isAscii(heap) ? heap.toString('latin1') : undefined
  return Array.from(isNull, (none, row) => {
    if (none === 1) return null
    return all?.slice(starts[row], starts[row + 1]) ?? textAt(column, row)
  })
}

/** The rows between those that are left out, which are in their order. */
export function slicesWithout(batch: LogBatch, leftOut: readonly number[]): Slice[] {
  const slices: Slice[] = []
  let from = 0
  for (const place of [...leftOut, batch.rows]) {
    if (place > from) slices.push({ batch, from, to: place })
    from = place + 1
  }
  return slices
}

const DAY_MS = 86_400_000

/** Days since 1970. */
export const dayOf = (moment: number) => Math.floor(moment / DAY_MS)

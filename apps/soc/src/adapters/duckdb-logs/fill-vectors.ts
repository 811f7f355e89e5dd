import { DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { PackedTexts } from './packed-logs.ts'

/** DuckDB works on so many rows at a time. */
export const CHUNK_ROWS = 2048

/**
 * A text in a vector, `duckdb_string_t` of duckdb.h: its length, and up to 12 bytes of it in place;
 * of a longer one the first four, and where all of them are.
 */
const TEXT_BYTES = 16
const MOST_IN_PLACE = 12

const texts = new Uint32Array((CHUNK_ROWS * TEXT_BYTES) / 4)
const textBytes = new Uint8Array(texts.buffer)
const valid = new Uint8Array(CHUNK_ROWS / 8)
const numbers = new Uint32Array(CHUNK_ROWS * 2)

/** Rows of a packed column, one after the other. */
export type TextRows = { column: PackedTexts; from: number; to: number }

/**
 * Fills a column of texts: their bytes go to the engine in one piece, and each row gets its place in
 * it. One by one, as the engine's own interface does it, takes three times as long.
 */
export function setTexts(chunk: DuckDBDataChunk, place: number, parts: TextRows[]) {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, place)
  let row = 0
  let hasNull = false
  valid.fill(0xff)
  for (const { column, from, to } of parts) {
    const { starts, isNull, heap } = column
    const first = starts[from] as number
    const end = starts[to] as number
    const base = end === first ? 0 : addHeap(vector, row, heap.subarray(first, end)) - first
    for (let at = from; at < to; at++) {
      setText(row, heap, starts[at] as number, starts[at + 1] as number, base)
      if (isNull[at] === 1) {
        hasNull = true
        valid[row >>> 3] = (valid[row >>> 3] as number) & ~(1 << (row & 7))
      }
      row += 1
    }
  }
  duckdb.copy_data_to_vector(vector, 0, texts.buffer, 0, row * TEXT_BYTES)
  if (!hasNull) return
  duckdb.vector_ensure_validity_writable(vector)
  duckdb.copy_data_to_vector_validity(vector, 0, valid.buffer, 0, Math.ceil(row / 8))
}

/** `base` is what to add to a place in the heap to have its address. */
function setText(row: number, heap: Uint8Array, start: number, end: number, base: number) {
  const word = row * 4
  const length = end - start
  texts[word] = length
  texts[word + 1] = 0
  texts[word + 2] = 0
  texts[word + 3] = 0
  const inPlace = length <= MOST_IN_PLACE ? length : 4
  for (let at = 0; at < inPlace; at++) textBytes[word * 4 + 4 + at] = heap[start + at] as number
  if (length <= MOST_IN_PLACE) return
  texts[word + 2] = base + start
  texts[word + 3] = (base + start) / 2 ** 32
}

type Vector = ReturnType<typeof duckdb.data_chunk_get_vector>

/** Gives the vector a copy of these bytes, by way of the text of some row; answers its address. */
function addHeap(vector: Vector, row: number, bytes: Uint8Array): number {
  // A short one would be kept in place, and have no address.
  const long = bytes.length > MOST_IN_PLACE ? bytes : Buffer.concat([bytes, PADDING])
  duckdb.vector_assign_string_element_len(vector, row, long)
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, (row + 1) * TEXT_BYTES)
  const text = new DataView(buffer, byteOffset + row * TEXT_BYTES, TEXT_BYTES)
  return text.getUint32(12, true) * 2 ** 32 + text.getUint32(8, true)
}

const PADDING = Buffer.alloc(MOST_IN_PLACE + 1)

/** Whole numbers of 64 bits, from several lists one after the other. */
export function setNumbers(chunk: DuckDBDataChunk, place: number, parts: Float64Array[]) {
  let row = 0
  for (const values of parts) {
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number
      numbers[row * 2] = value
      numbers[row * 2 + 1] = Math.floor(value / 2 ** 32)
      row += 1
    }
  }
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, place)
  duckdb.copy_data_to_vector(vector, 0, numbers.buffer, 0, row * 8)
}

/** Whether this engine lays out texts as told above: nothing is read from an address to find out. */
export function isLayoutKnown(): boolean {
  const chunk = DuckDBDataChunk.create([VARCHAR], 2)
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0)
  const [short, long] = ['twelve bytes', 'more than twelve']
  duckdb.vector_assign_string_element(vector, 0, short)
  duckdb.vector_assign_string_element(vector, 1, long)
  const found = Buffer.from(duckdb.vector_get_data(vector, 2 * TEXT_BYTES))
  return (
    found.readUInt32LE(0) === short.length &&
    found.toString('latin1', 4, TEXT_BYTES) === short &&
    found.readUInt32LE(TEXT_BYTES) === long.length &&
    found.toString('latin1', TEXT_BYTES + 4, TEXT_BYTES + 8) === long.slice(0, 4) &&
    found.readBigUInt64LE(TEXT_BYTES + 8) > 0n
  )
}

import { DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

/** DuckDB works on so many rows at a time. */
export const CHUNK_ROWS = 2048

/**
 * A text in a vector, `duckdb_string_t` of duckdb.h: its length, and up to 12 bytes of it in place;
 * of a longer one the first four, and where all of them are.
 */
const TEXT_BYTES = 16
const MOST_IN_PLACE = 12
const SHORT_TEXT = 32

const texts = new Uint32Array((CHUNK_ROWS * TEXT_BYTES) / 4)
const textBytes = new Uint8Array(texts.buffer)
const valid = new Uint8Array(CHUNK_ROWS / 8)
const numbers = new Uint32Array(CHUNK_ROWS * 2)
let heap = Buffer.alloc(256 * 1024)

/**
 * Fills a column of texts: their bytes go to the engine in one piece, and each row gets its place in
 * it. One by one, as the engine's own interface does it, takes three times as long.
 */
export function setTexts(chunk: DuckDBDataChunk, column: number, values: (string | null)[]) {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const starts = new Uint32Array(values.length)
  const used = writeBytes(values, starts)
  const base = used === 0 ? 0 : addHeap(vector, used)
  let hasNull = false
  valid.fill(0xff)
  for (let row = 0; row < values.length; row++) {
    const word = row * 4
    const start = starts[row] as number
    const length = (row + 1 < values.length ? (starts[row + 1] as number) : used) - start
    texts[word] = length
    texts[word + 1] = 0
    texts[word + 2] = 0
    texts[word + 3] = 0
    const inPlace = length <= MOST_IN_PLACE ? length : 4
    for (let at = 0; at < inPlace; at++) textBytes[word * 4 + 4 + at] = heap[start + at] as number
    if (length > MOST_IN_PLACE) {
      texts[word + 2] = base + start
      texts[word + 3] = (base + start) / 2 ** 32
    }
    if (values[row] !== null) continue
    hasNull = true
    valid[row >>> 3] = (valid[row >>> 3] as number) & ~(1 << (row & 7))
  }
  duckdb.copy_data_to_vector(vector, 0, texts.buffer, 0, values.length * TEXT_BYTES)
  if (!hasNull) return
  duckdb.vector_ensure_validity_writable(vector)
  duckdb.copy_data_to_vector_validity(vector, 0, valid.buffer, 0, Math.ceil(values.length / 8))
}

/** All texts one after the other into the heap; a null takes no room. */
function writeBytes(values: (string | null)[], starts: Uint32Array): number {
  let used = 0
  for (let row = 0; row < values.length; row++) {
    starts[row] = used
    const text = values[row]
    if (!text) continue
    if (used + text.length * 3 > heap.length) {
      const larger = Buffer.alloc((used + text.length * 3) * 2)
      heap.copy(larger, 0, 0, used)
      heap = larger
    }
    used += text.length <= SHORT_TEXT ? writeShort(text, used) : heap.write(text, used, 'utf8')
  }
  return used
}

/** Letter by letter: most texts are so short that to call for it takes longer than to do it. */
function writeShort(text: string, start: number): number {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return heap.write(text, start, 'utf8')
    heap[start + at] = unit
  }
  return text.length
}

type Vector = ReturnType<typeof duckdb.data_chunk_get_vector>

/** Gives the vector a copy of the heap; answers its address. */
function addHeap(vector: Vector, used: number): number {
  // A short one would be kept in place, and have no address.
  const length = Math.max(used, MOST_IN_PLACE + 1)
  heap.fill(0x20, used, length)
  duckdb.vector_assign_string_element_len(vector, 0, heap.subarray(0, length))
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, TEXT_BYTES)
  const place = new DataView(buffer, byteOffset, TEXT_BYTES)
  return place.getUint32(12, true) * 2 ** 32 + place.getUint32(8, true)
}

/** Whole numbers of 64 bits. */
export function setNumbers(chunk: DuckDBDataChunk, column: number, values: number[]) {
  for (const [row, value] of values.entries()) {
    numbers[row * 2] = value
    numbers[row * 2 + 1] = Math.floor(value / 2 ** 32)
  }
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  duckdb.copy_data_to_vector(vector, 0, numbers.buffer, 0, values.length * 8)
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

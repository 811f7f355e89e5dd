import { readFileSync } from 'node:fs'
import type { PackedTexts } from './packed-logs.ts'

/** Rows of a column in which every letter is one byte. */
export type PlainRows = {
  column: PackedTexts
  from: number
  to: number
  /** `list` has separators between its texts, `id` leaves one mark for all of it. */
  kind: 'text' | 'list' | 'id'
}

const BITMAPS = ['short', 'long', 'middle', 'ids'] as const

/** Each a power of two of bytes. */
type Bits = Record<(typeof BITMAPS)[number], Uint8Array>

/** Described in mark-bytes.wat. Addresses and sizes, in bytes. */
type MachineCode = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  lay(texts: number, starts: number, rows: number, several: number, to: number): number
  setGrams(
    at: number,
    end: number,
    ...bitmaps: [short: number, shortMask: number, long: number, longMask: number]
  ): void
  setAddresses(at: number, end: number, middle: number, mask: number): void
  setWholes(at: number, end: number, ids: number, mask: number): void
}

/** The types of Node leave out what browsers have too. */
declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array)
    }
    class Instance {
      constructor(module: Module)
      readonly exports: unknown
    }
  }
}

const file = new URL('./mark-bytes.wasm', import.meta.url)
const code = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)))
  .exports as MachineCode

/** Before that the memory is the machine code's own. */
const FREE = 16_384
/** A column with more is looked at in pieces, since memory that was taken is never given back. */
const MOST_BYTES = 2 ** 20
/** It reads and writes up to so many bytes beyond either end. */
const MARGIN = 16

/**
 * Sets the marks of texts, the same that `marksOf` finds, in a sixth of the time. The bitmaps are
 * copied to where the machine code can reach them and back, so call it for many rows at once.
 */
export function markBytes(bits: Bits, parts: readonly PlainRows[]) {
  if (parts.length === 0) return
  const places = { short: 0, long: 0, middle: 0, ids: 0 }
  let free = FREE
  for (const name of BITMAPS) {
    places[name] = free
    free += bits[name].length
  }
  reserve(free)
  const given = new Uint8Array(code.memory.buffer)
  for (const name of BITMAPS) given.set(bits[name], places[name])
  for (const part of parts) for (const piece of inPieces(part)) mark(bits, places, piece, free)
  // Another view: the memory may have grown.
  const marked = new Uint8Array(code.memory.buffer)
  for (const name of BITMAPS) {
    bits[name].set(marked.subarray(places[name], places[name] + bits[name].length))
  }
}

function* inPieces({ column, from, to, kind }: PlainRows): Generator<PlainRows> {
  const { starts } = column
  for (let first = from, end = from; first < to; first = end) {
    const most = (starts[first] as number) + MOST_BYTES
    end = first + 1
    while (end < to && (starts[end + 1] as number) <= most) end += 1
    yield { column, from: first, to: end, kind }
  }
}

function mark(
  bits: Bits,
  { short, long, middle, ids }: Record<keyof Bits, number>,
  { column, from, to, kind }: PlainRows,
  free: number,
) {
  const starts = column.starts.subarray(from, to + 1)
  const bytes = column.heap.subarray(starts[0], starts.at(-1))
  const texts = free + starts.byteLength
  const laid = texts + bytes.length + 2 * MARGIN
  reserve(laid + bytes.length + starts.length + MARGIN)
  new Uint32Array(code.memory.buffer, free).set(starts)
  new Uint8Array(code.memory.buffer).set(bytes, texts)

  const end = code.lay(texts, free, to - from, kind === 'list' ? 1 : 0, laid)
  if (kind === 'id') {
    code.setWholes(laid, end, ids, maskOf(bits.ids))
    return
  }
  code.setGrams(laid, end, short, maskOf(bits.short), long, maskOf(bits.long))
  code.setAddresses(laid, end, middle, maskOf(bits.middle))
}

const maskOf = ({ length }: Uint8Array) => length - 4

const PAGE_BYTES = 65_536

function reserve(bytes: number) {
  const missing = bytes - code.memory.buffer.byteLength
  if (missing > 0) code.memory.grow(Math.ceil(missing / PAGE_BYTES))
}

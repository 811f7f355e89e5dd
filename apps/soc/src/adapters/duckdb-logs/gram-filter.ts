import { fold } from '@manara/log-query/fold'
import type { Clause, Literal } from '@manara/log-query/literals'
import { again, hashWhole, LONGS, MIDDLES, marksOf, SHORTS } from './grams.ts'
import { markBytes, type PlainRows } from './mark-bytes.ts'

/** Says of a segment "certainly not here" for most texts that are not. See grams.ts for the marks. */
export type GramFilter = {
  short: Bits
  long: Bits
  /** Two bits a mark. */
  middle: Bits
  /** Whole ids, two bits each. */
  ids: Bits
}

/** A power of two of them. */
type Bits = Uint8Array

const SHORT_BITS = 2 ** 17
const LONG_BITS = 2 ** 20
/** Denser than this a filter is not made smaller. */
const DENSITY = 0.2

export type GramCollector = ReturnType<typeof createGramCollector>

/** With `filter`, what is collected is added to it: what it says stays, it may then say too much. */
export function createGramCollector(filter?: GramFilter) {
  const short = bitsOf(SHORT_BITS, filter?.short)
  const long = bitsOf(LONG_BITS, filter?.long)
  const middle = bitsOf(LONG_BITS, filter?.middle)
  const ids = bitsOf(SHORT_BITS, filter?.ids)
  const marks: GramFilter = { short, long, middle, ids }
  const known = new Set<string>()
  return {
    /** Of texts whose letters are one byte each. */
    addPlain: (parts: readonly PlainRows[]) => markBytes(marks, parts),
    /** Most short values come again and again. */
    addText(text: string) {
      if (text.length < 64) {
        if (known.has(text)) return
        known.add(text)
      }
      const found = marksOf(fold(text))
      setAll(short, found.short, found.counts[SHORTS] as number)
      setAll(long, found.long, found.counts[LONGS] as number)
      for (let i = 0; i < (found.counts[MIDDLES] as number); i++) {
        setTwice(middle, found.middle[i] as number)
      }
    },
    addId: (id: string) => setTwice(ids, hashWhole(fold(id))),
    /** As it is now, and grows. */
    marks,
    finish: (): GramFilter => ({
      short: shrunk(short),
      long: shrunk(long),
      middle: shrunk(middle),
      ids: shrunk(ids),
    }),
  }
}

/** A copy of those that are given. */
const bitsOf = (count: number, given?: Bits): Bits =>
  given ? new Uint8Array(given) : new Uint8Array(count / 8)

function setAll(bits: Bits, hashes: Int32Array, count: number) {
  for (let i = 0; i < count; i++) set(bits, hashes[i] as number)
}

function setTwice(bits: Bits, hash: number) {
  set(bits, hash)
  set(bits, again(hash))
}

function set(bits: Bits, hash: number) {
  const at = hash & (bits.length * 8 - 1)
  bits[at >>> 3] = (bits[at >>> 3] as number) | (1 << (at & 7))
}

function has(bits: Bits, hash: number) {
  const at = hash & (bits.length * 8 - 1)
  return ((bits[at >>> 3] as number) & (1 << (at & 7))) !== 0
}

const hasTwice = (bits: Bits, hash: number) => has(bits, hash) && has(bits, again(hash))

/** Lays the halves over each other while few marks fall together. */
function shrunk({ buffer, byteOffset, length }: Bits): Bits {
  let words = new Uint32Array(buffer, byteOffset, length / 4)
  while (words.length > 2 && countBits(words) < words.length * 32 * DENSITY) {
    const half = words.length / 2
    const next = words.slice(0, half)
    for (let i = 0; i < half; i++) next[i] = (next[i] as number) | (words[half + i] as number)
    words = next
  }
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}

/** Adds up neighbouring bits, then pairs of them, then fours, in all of a word at once. */
function countBits(words: Uint32Array): number {
  let count = 0
  for (let i = 0; i < words.length; i++) {
    let word = words[i] as number
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

export type Wanted = {
  short: Int32Array
  long: Int32Array
  middle: Int32Array
  id: number | undefined
}

/** The marks to look for, worked out once for all segments: of each clause, one of its texts. */
export type FilterQuery = Wanted[][]

export const prepareFilterQuery = (clauses: Clause[]): FilterQuery =>
  clauses.map((clause) => clause.map(wantedBy))

function wantedBy({ text, field, isStart, isEnd }: Literal): Wanted {
  // Ids leave no other marks, so that a part of one says nothing.
  const { short, long, middle, counts } = marksOf(field === 'id' ? '' : text)
  return {
    short: short.slice(0, counts[SHORTS]),
    long: long.slice(0, counts[LONGS]),
    middle: middle.slice(0, counts[MIDDLES]),
    id: field === 'id' && isStart && isEnd ? hashWhole(text) : undefined,
  }
}

export function mayContain({ short, long, middle, ids }: GramFilter, query: FilterQuery): boolean {
  return query.every((clause) =>
    clause.some(
      (wanted) =>
        (wanted.id === undefined || hasTwice(ids, wanted.id)) &&
        wanted.middle.every((hash) => hasTwice(middle, hash)) &&
        wanted.long.every((hash) => has(long, hash)) &&
        wanted.short.every((hash) => has(short, hash)),
    ),
  )
}

export function packFilter({ short, long, middle, ids }: GramFilter): Uint8Array {
  const parts = [short, long, middle, ids]
  return Buffer.concat([Uint8Array.from(parts.map(({ length }) => Math.log2(length))), ...parts])
}

export function unpackFilter(packed: Uint8Array): GramFilter {
  let from = 4
  const [short, long, middle, ids] = [...packed.subarray(0, 4)].map((size) => {
    const bits = packed.subarray(from, from + 2 ** size)
    from += 2 ** size
    return bits
  }) as [Bits, Bits, Bits, Bits]
  return { short, long, middle, ids }
}

/** Filters of many segments stay in memory. */
export const filterBytes = ({ short, long, middle, ids }: GramFilter) =>
  short.length + long.length + middle.length + ids.length

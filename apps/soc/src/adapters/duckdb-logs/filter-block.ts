import type { FilterQuery, GramFilter, Wanted } from './gram-filter.ts'
import { again } from './grams.ts'

/**
 * The filters of many segments turned round: a row for every bit, in it one bit for every segment.
 * Which of them may hold a text is then read in a few rows, however many segments there are.
 */
export type BlockLayout = {
  /** How many segments; each has the bit of its place in every row. */
  lanes: number
  /** How many rows short, long, middle and ids have, each a power of two. */
  rows: readonly number[]
  /** How many bits a row has; blocks of before do not say it. */
  rowBits?: number
}

/** Segments in one block. */
export const MOST_LANES = 128
/** Rows are read and checked by pages. */
export const PAGE_BYTES = 4_096
/** What more marks would still leave out is not worth reading them. */
const MOST_ROWS = 32

const KINDS = ['short', 'long', 'middle', 'ids'] as const
const [SHORT, LONG, MIDDLE, IDS] = [0, 1, 2, 3]

/** Before it was said, a row had so many bytes: a power of two. */
const rowBitsOf = ({ lanes, rowBits }: BlockLayout) =>
  rowBits ?? 8 * 2 ** Math.ceil(Math.log2(Math.ceil(lanes / 8)))

/** No row lies across two pages. */
const rowsInPage = (layout: BlockLayout) => Math.floor((PAGE_BYTES * 8) / rowBitsOf(layout))

export const pageCount = (layout: BlockLayout) =>
  Math.ceil(layout.rows.reduce((sum, rows) => sum + rows, 0) / rowsInPage(layout))

/** A row has a bit for each segment and no more: a small day has a handful of them. */
export const layoutOf = (filters: GramFilter[]): BlockLayout => ({
  lanes: filters.length,
  rowBits: filters.length,
  rows: KINDS.map((kind) => filters.reduce((most, one) => Math.max(most, one[kind].length), 1) * 8),
})

/** Writes one filter into its lane of all pages. A smaller one is repeated until it is as long. */
export function addLane(pages: Uint8Array, layout: BlockLayout, lane: number, filter: GramFilter) {
  const [rowBits, inPage] = [rowBitsOf(layout), rowsInPage(layout)]
  let start = 0
  for (const [at, kind] of KINDS.entries()) {
    const bits = filter[kind]
    const rows = layout.rows[at] as number
    for (let byte = 0; byte < bits.length; byte++) {
      for (let rest = bits[byte] as number; rest !== 0; rest &= rest - 1) {
        const first = byte * 8 + (31 - Math.clz32(rest & -rest))
        for (let row = first; row < rows; row += bits.length * 8) {
          const page = Math.floor((start + row) / inPage)
          const bit = (start + row - page * inPage) * rowBits + lane
          const place = page * PAGE_BYTES + (bit >>> 3)
          pages[place] = (pages[place] as number) | (1 << (bit & 7))
        }
      }
    }
    start += rows
  }
}

/**
 * Which lanes may hold what is asked for, a bit each. `pageAt` gives a page that was checked;
 * undefined when a page cannot be trusted.
 */
export function lanesFor(
  layout: BlockLayout,
  query: FilterQuery,
  pageAt: (page: number) => Uint8Array | undefined,
): Uint8Array | undefined {
  const [rowBits, inPage] = [rowBitsOf(layout), rowsInPage(layout)]
  const width = Math.ceil(layout.lanes / 8)
  const starts = [0]
  for (const rows of layout.rows) starts.push((starts.at(-1) as number) + rows)
  const found = allLanes()

  for (const clause of query) {
    const any = new Uint8Array(width)
    for (const wanted of clause) {
      const lanes = lanesOf(wanted)
      if (!lanes) return undefined
      for (let i = 0; i < width; i++) any[i] = (any[i] as number) | (lanes[i] as number)
    }
    for (let i = 0; i < width; i++) found[i] = (found[i] as number) & (any[i] as number)
    if (found.every((byte) => byte === 0)) return found
  }
  return found

  function allLanes(): Uint8Array {
    const lanes = new Uint8Array(width).fill(255)
    // Behind the last of them the next row begins.
    lanes[width - 1] = 255 >>> (width * 8 - layout.lanes)
    return lanes
  }

  function lanesOf(wanted: Wanted): Uint8Array | undefined {
    const lanes = allLanes()
    let left = MOST_ROWS
    for (const [kind, hash] of rowsWanted(wanted)) {
      if (left-- === 0) break
      const row = (starts[kind] as number) + (hash & ((layout.rows[kind] as number) - 1))
      const number = Math.floor(row / inPage)
      const page = pageAt(number)
      if (!page) return undefined
      const bit = (row - number * inPage) * rowBits
      const [place, shift] = [bit >>> 3, bit & 7]
      let isNone = true
      for (let i = 0; i < width; i++) {
        const two = (page[place + i] ?? 0) | ((page[place + i + 1] ?? 0) << 8)
        const byte = (lanes[i] as number) & (two >>> shift)
        lanes[i] = byte
        if (byte !== 0) isNone = false
      }
      if (isNone) break
    }
    return lanes
  }
}

/** The marks that leave out most come first. */
function* rowsWanted({ id, middle, long, short }: Wanted): Generator<[kind: number, hash: number]> {
  if (id !== undefined) {
    yield [IDS, id]
    yield [IDS, again(id)]
  }
  for (const hash of middle) {
    yield [MIDDLE, hash]
    yield [MIDDLE, again(hash)]
  }
  for (const hash of long) yield [LONG, hash]
  for (const hash of short) yield [SHORT, hash]
}

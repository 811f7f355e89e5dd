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
}

/** Segments in one block. */
export const MOST_LANES = 128
/** Rows are read and checked by pages. */
export const PAGE_BYTES = 4_096
/** What more marks would still leave out is not worth reading them. */
const MOST_ROWS = 32

const KINDS = ['short', 'long', 'middle', 'ids'] as const
const [SHORT, LONG, MIDDLE, IDS] = [0, 1, 2, 3]

/** A power of two, so that no row lies across two pages. */
const rowBytes = ({ lanes }: BlockLayout) => 2 ** Math.ceil(Math.log2(Math.ceil(lanes / 8)))

export const pageCount = (layout: BlockLayout) =>
  Math.ceil((layout.rows.reduce((sum, rows) => sum + rows, 0) * rowBytes(layout)) / PAGE_BYTES)

export const layoutOf = (filters: GramFilter[]): BlockLayout => ({
  lanes: filters.length,
  rows: KINDS.map((kind) => filters.reduce((most, one) => Math.max(most, one[kind].length), 1) * 8),
})

/** Writes one filter into its lane of all pages. A smaller one is repeated until it is as long. */
export function addLane(pages: Uint8Array, layout: BlockLayout, lane: number, filter: GramFilter) {
  const width = rowBytes(layout)
  const mark = 1 << (lane & 7)
  let start = lane >>> 3
  for (const [at, kind] of KINDS.entries()) {
    const bits = filter[kind]
    const rows = layout.rows[at] as number
    for (let byte = 0; byte < bits.length; byte++) {
      for (let rest = bits[byte] as number; rest !== 0; rest &= rest - 1) {
        const first = byte * 8 + (31 - Math.clz32(rest & -rest))
        for (let row = first; row < rows; row += bits.length * 8) {
          const place = start + row * width
          pages[place] = (pages[place] as number) | mark
        }
      }
    }
    start += rows * width
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
  const width = rowBytes(layout)
  const starts = [0]
  for (const rows of layout.rows) starts.push((starts.at(-1) as number) + rows)
  const found = new Uint8Array(width).fill(255)

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

  function lanesOf(wanted: Wanted): Uint8Array | undefined {
    const lanes = new Uint8Array(width).fill(255)
    let left = MOST_ROWS
    for (const [kind, hash] of rowsWanted(wanted)) {
      if (left-- === 0) break
      const row = (starts[kind] as number) + (hash & ((layout.rows[kind] as number) - 1))
      const place = row * width
      const page = pageAt(Math.floor(place / PAGE_BYTES))
      if (!page) return undefined
      let isNone = true
      for (let i = 0; i < width; i++) {
        const byte = (lanes[i] as number) & (page[(place % PAGE_BYTES) + i] as number)
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

import { nextTurn } from '@manara/kit/turns'
import { isOpen } from './current-partition.ts'
import type { Partition } from './database.ts'
import { addLane, layoutOf, MOST_LANES, PAGE_BYTES, pageCount } from './filter-block.ts'
import { noteLooseFilter } from './finish-segment.ts'
import { type GramFilter, unpackFilter } from './gram-filter.ts'
import { blobOf, NO_BUDGET } from './readers.ts'
import { isOf } from './segment-notes.ts'
import type { Segment } from './segments.ts'
import type { Store } from './store.ts'

/** Gives each segment its lane in the blocks that are there. */
export function readFilterBlocks(store: Store, partition: Partition, segments: Segment[]) {
  const bySeg = new Map(segments.map((segment) => [segment.seg, segment]))
  for (const block of store.filterFiles.read(partition.name)) {
    for (const [lane, stamp] of block.stamps.entries()) {
      const segment = bySeg.get(stamp.seg)
      if (segment && isOf(stamp, segment)) segment.inBlock = { block, lane }
    }
  }
}

/**
 * Blocks of the full segments of a partition that are in none, also of fewer than fit into one when
 * it gets no more. Their filters need no memory from then on.
 */
export async function makeFilterBlocks(store: Store, partition: Partition, signal: AbortSignal) {
  for (;;) {
    const waiting = store.segments.filter(
      (one) => one.partition === partition && one.filter && !one.inBlock && !one.isLost,
    )
    const isEnough = waiting.length >= (isOpen(store, partition) ? MOST_LANES : 1)
    if (!isEnough || signal.aborted || !store.partitions.includes(partition)) return
    if (!(await makeBlock(store, partition, waiting.slice(0, MOST_LANES)))) return
    forgetLooseFilters(store, partition)
  }
}

/** But for those of segments that became full meanwhile. */
function forgetLooseFilters(store: Store, partition: Partition) {
  store.notes.looseFilters.remove(partition.name)
  for (const segment of store.segments) {
    if (segment.partition === partition && !segment.inBlock) noteLooseFilter(store, segment)
  }
}

async function makeBlock(store: Store, partition: Partition, segments: Segment[]) {
  const filters = await filtersOf(store, partition, segments)
  const layout = layoutOf(filters)
  const pages = new Uint8Array(pageCount(layout) * PAGE_BYTES)
  for (const [lane, filter] of filters.entries()) {
    await nextTurn()
    addLane(pages, layout, lane, filter)
  }
  const stamps = segments.map(
    ({ seg, events, minAt, maxAt, minReceived, maxReceived, rewrites = 0 }) => ({
      ...{ seg, events, minAt, maxAt, minReceived, maxReceived, rewrites },
    }),
  )
  const block = store.filterFiles.add(partition.name, layout, stamps, pages)
  for (const [lane, segment] of segments.entries()) {
    if (block) segment.inBlock = { block, lane }
    segment.filter = 'stored'
  }
  return block !== undefined
}

async function filtersOf(store: Store, { alias }: Partition, segments: Segment[]) {
  const stored = new Map<number, GramFilter>()
  const missing = segments.filter(({ filter }) => filter === 'stored')
  if (missing.length > 0) {
    const rows = await store.readers.read(
      `SELECT seg, filter FROM ${alias}.segments WHERE seg BETWEEN $1 AND $2`,
      [missing[0]?.seg ?? 0, missing.at(-1)?.seg ?? 0],
      NO_BUDGET,
    )
    for (const [seg, packed] of rows) stored.set(Number(seg), unpackFilter(blobOf(packed)))
  }
  return segments.map(({ seg, filter }) => {
    const found = typeof filter === 'object' ? filter : stored.get(seg)
    if (!found) throw new Error(`segment ${seg} has no filter`)
    return found
  })
}

/** A page was not what was written: filters come from the partition until the blocks are made anew. */
export function dropFilterBlocks(store: Store, partition: Partition) {
  for (const segment of store.segments) {
    if (segment.partition === partition) segment.inBlock = undefined
  }
  store.filterFiles.remove(partition.name)
}

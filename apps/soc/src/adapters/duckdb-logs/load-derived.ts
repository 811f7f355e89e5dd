import type { Partition } from './database.ts'
import { MOST_LANES } from './filter-block.ts'
import { noteLooseFilter } from './finish-segment.ts'
import { filterBytes, unpackFilter } from './gram-filter.ts'
import { readRollups } from './load-rollups.ts'
import { readFilterBlocks } from './make-filter-blocks.ts'
import { blobOf, NO_BUDGET } from './readers.ts'
import { isOf } from './segment-notes.ts'
import { runsOf, type Segment } from './segments.ts'
import type { Store } from './store.ts'

/**
 * What stands beside the partitions, and of the rest the filters that memory has room for; answers
 * the full segments of which no counts were noted.
 */
export async function loadDerived(store: Store, filterMb: number): Promise<Segment[]> {
  const bySegments = Map.groupBy(store.segments, ({ partition }) => partition)
  const unrolled: Segment[] = []
  for (const [partition, segments] of bySegments) {
    const full = segments.filter(({ filter }) => filter)
    unrolled.push(...readRollups(store, partition, full))
    readFilterBlocks(store, partition, full)
  }
  await readFilters(store, filterMb * 2 ** 20)
  return unrolled
}

/** The newest are asked for most, and as many at once as make a block. */
async function readFilters(store: Store, room: number) {
  const { readers, partitions, segments } = store
  let left = room
  for (const partition of partitions.toReversed()) {
    const loose = segments.filter(
      (one) => one.partition === partition && one.filter && !one.inBlock,
    )
    left -= readLooseFilters(store, partition, loose)
    const own = loose.filter(({ filter }) => filter === 'stored')
    for (const run of runsOf(own, MOST_LANES).toReversed()) {
      const rows = await readers.read(
        `SELECT seg, filter FROM ${partition.alias}.segments WHERE seg BETWEEN $1 AND $2`,
        [run[0]?.seg ?? 0, run.at(-1)?.seg ?? 0],
        NO_BUDGET,
      )
      const bySeg = new Map(run.map((segment) => [segment.seg, segment]))
      for (const [seg, packed] of rows) {
        // A copy: the bytes belong to the result they came with.
        const filter = unpackFilter(Uint8Array.from(blobOf(packed)))
        left -= filterBytes(filter)
        if (left < 0) return
        const segment = bySeg.get(Number(seg))
        if (!segment) continue
        segment.filter = filter
        noteLooseFilter(store, segment)
      }
    }
  }
}

/** Those that were noted; answers how many bytes they take. */
function readLooseFilters({ notes }: Store, { name }: Partition, loose: Segment[]): number {
  if (loose.length === 0) return 0
  const bySeg = new Map(loose.map((segment) => [segment.seg, segment]))
  let bytes = 0
  for (const { stamp, note } of notes.looseFilters.read(name)) {
    const segment = bySeg.get(stamp.seg)
    if (!segment || !isOf(stamp, segment)) continue
    segment.filter = unpackFilter(note)
    bytes += note.length
  }
  return bytes
}

import { packFilter } from './gram-filter.ts'
import { bytesOf } from './id-hashes.ts'
import { mergeRollups, packRollup } from './rollup.ts'
import type { Segment } from './segments.ts'
import type { Store } from './store.ts'

/** Notes what the next start needs to know of a segment that gets no more events. */
export function finishSegment(store: Store, segment: Segment) {
  const { name } = segment.partition
  const ids = store.growingIds.map(bytesOf)
  store.growingIds = []
  store.notes.ids.add(name, segment, Buffer.concat(ids))
  noteLooseFilter(store, segment)
  const rollup = segment.rollups && mergeRollups(segment.rollups)
  segment.rollups = rollup && [rollup]
  noteRollup(store, segment)
  store.onFull(segment.partition)
}

/** Until it stands in a block: of those in the partition the engine reads all to find a few. */
export function noteLooseFilter({ notes }: Pick<Store, 'notes'>, segment: Segment) {
  const { filter, partition } = segment
  if (typeof filter === 'object') {
    notes.looseFilters.add(partition.name, segment, packFilter(filter))
  }
}

/** An empty note says that none can be made. */
export function noteRollup({ notes, keys }: Pick<Store, 'notes' | 'keys'>, segment: Segment) {
  const [rollup] = segment.rollups ?? []
  const note = rollup ? packRollup(rollup, keys) : Buffer.alloc(0)
  notes.rollups.add(segment.partition.name, segment, note)
}

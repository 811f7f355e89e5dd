import { unavailable } from '@manara/kit/errors'
import { nextTurn } from '@manara/kit/turns'
import { DAY_MS, type Partition } from './database.ts'
import { bytesOf, hashesOf } from './id-hashes.ts'
import { NO_BUDGET } from './readers.ts'
import { isOf } from './segment-notes.ts'
import { runsOf, type Segment } from './segments.ts'
import type { Store } from './store.ts'

/** So many segments of events are read at once where nothing was noted. */
const AT_ONCE = 64
/** As many are put into the table before others may go on. */
const NOTES_A_TURN = 8

/**
 * The ids of the last day, from what was noted of each segment and else from the events. Searches
 * need none of this: only the first append waits for it.
 */
export async function loadRecentIds(store: Store, signal: AbortSignal) {
  // Of the last that came: files that a wrong clock made may be of any day.
  const newest = store.segments.at(-1)?.maxReceived ?? 0
  for (const partition of [...store.partitions]) {
    if (Math.abs(partition.dayStart - newest) > 2 * DAY_MS) {
      store.notes.ids.remove(partition.name)
      continue
    }
    const own = store.segments.filter((segment) => segment.partition === partition)
    const missing = await loadNoted(store, partition, own, signal)
    for (const run of runsOf(missing, AT_ONCE)) {
      if (signal.aborted) throw closing()
      await loadFromEvents(store, partition, run)
    }
  }
}

const closing = () => unavailable('the log store is closing: send the events again')

/** Answers the segments about which nothing was noted. */
async function loadNoted(
  store: Store,
  { name }: Partition,
  segments: Segment[],
  signal: AbortSignal,
) {
  const bySeg = new Map(segments.map((segment) => [segment.seg, segment]))
  let count = 0
  for (const { stamp, note } of store.notes.ids.read(name)) {
    const segment = bySeg.get(stamp.seg)
    if (!segment?.filter || !isOf(stamp, segment)) continue
    bySeg.delete(stamp.seg)
    store.recentIds.addHashes(new Uint32Array(note.buffer, note.byteOffset, note.length / 4))
    count += 1
    if (count % NOTES_A_TURN === 0) await nextTurn()
    if (signal.aborted) throw closing()
  }
  return [...bySeg.values()].filter(({ isLost }) => !isLost)
}

async function loadFromEvents(store: Store, { name, alias }: Partition, segments: Segment[]) {
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last) return
  const rows = await store.readers.read(
    `SELECT seg, id, received_ms FROM ${alias}.logs WHERE seg BETWEEN $1 AND $2`,
    [first.seg, last.seg],
    NO_BUDGET,
  )
  const bySeg = Map.groupBy(rows, ([seg]) => Number(seg))
  for (const segment of segments) {
    const taken = (bySeg.get(segment.seg) ?? []).map(([, id, received]) => ({
      id: String(id),
      received_at: Number(received),
    }))
    const hashes = hashesOf(taken)
    store.recentIds.addHashes(hashes)
    if (segment.filter) store.notes.ids.add(name, segment, bytesOf(hashes))
    else if (segment.partition === store.current) store.growingIds = [hashes]
    await nextTurn()
  }
}

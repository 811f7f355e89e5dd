import type { DuckDBConnection } from '@duckdb/node-api'
import { nextTurn } from '@manara/kit/turns'
import { collectMarks } from './collect-marks.ts'
import { insertSegment, partitionFor, remember, transaction } from './current-partition.ts'
import type { Partition } from './database.ts'
import { checkRoom } from './disk-room.ts'
import { CHUNK_ROWS } from './fill-vectors.ts'
import { finishSegment } from './finish-segment.ts'
import { createGramCollector } from './gram-filter.ts'
import { markOf } from './marks.ts'
import { type LogBatch, type Slice, slicesWithout } from './packed-logs.ts'
import { createRecentIds } from './recent-ids.ts'
import { toChunk } from './rows.ts'
import { emptySegment, grown, type Segment, segmentsOf } from './segments.ts'
import type { Store, StoreSettings } from './store.ts'

/** Searches share the thread: they are let in this often. */
const EVENTS_A_TURN = 1_024

/** Stores a group in one transaction; answers which of each batch, by place, were stored before. */
export async function commitLogs(
  store: Store,
  settings: StoreSettings,
  connection: DuckDBConnection,
  group: LogBatch[],
): Promise<number[][]> {
  if (group.length === 0) return []
  const duplicates = findKnown(store, group)
  const fresh = group.flatMap((batch, at) => slicesWithout(batch, duplicates[at] ?? []))
  const [first] = fresh
  if (!first) return duplicates
  checkRoom(settings)
  const receivedAt = first.batch.received[first.from] ?? 0
  const partition = await partitionFor(store, settings, connection, receivedAt)
  const { dealt, collector } = await deal(store, settings, partition, fresh)

  await transaction(connection, async () => {
    const appender = await connection.createAppender('logs', 'main', partition.alias)
    for (const { segment, slices } of dealt) {
      for (const rows of inPieces(slices, CHUNK_ROWS)) {
        await nextTurn()
        appender.appendDataChunk(toChunk(rows, segment.seg))
      }
    }
    appender.closeSync()
    for (const { segment } of dealt) if (segment.filter) await insertSegment(connection, segment)
  })

  store.collector = collector
  for (const { segment, slices } of dealt) {
    for (const { batch, from, to } of slices) {
      // A copy: what is noted of the ids must not keep all of the batch in memory.
      const hashes = batch.hashes.slice(from * 3, to * 3)
      store.recentIds.addHashes(hashes)
      store.growingIds.push(hashes)
    }
    remember(store.segments, segment)
    if (segment.filter) finishSegment(store, segment)
  }
  store.nextSeg = 1 + (dealt.at(-1)?.segment.seg ?? 0)
  noteMark(store, partition)
  return duplicates
}

/** Before anybody is told that the events are safe. */
function noteMark(store: Store, partition: Partition) {
  store.marks.write(partition.name, markOf(segmentsOf(store, partition)))
}

/** Of each batch those, by place, that are stored already or stand before in the group. */
function findKnown({ recentIds }: Store, group: LogBatch[]): number[][] {
  const seen = createRecentIds({ expected: group.reduce((sum, { rows }) => sum + rows, 0) })
  return group.map(({ rows, hashes, received }) => {
    const places: number[] = []
    for (let row = 0; row < rows; row++) {
      const high = hashes[row * 3] as number
      const low = hashes[row * 3 + 1] as number
      const at = received[row] as number
      if (seen.hasHash(high, low, at) || recentIds.hasHash(high, low, at)) places.push(row)
      else seen.addHash(high, low, hashes[row * 3 + 2] as number)
    }
    return places
  })
}

/** Fills the growing segment up, then makes new ones. */
async function deal(
  store: Store,
  { segmentEvents }: StoreSettings,
  partition: Partition,
  fresh: Slice[],
) {
  const last = store.segments.at(-1)
  let segment =
    last?.partition === partition && !last.filter
      ? last
      : emptySegment(store.nextSeg, partition, segmentsOf(store, partition).length)
  // Marks of events that then cannot be stored do no harm: a filter may say too much.
  let { collector } = store
  const dealt: { segment: Segment; slices: Slice[] }[] = []
  for (const slices of inPieces(fresh, segmentEvents, segment.events)) {
    if (segment.events === 0) collector = createGramCollector()
    for (const some of inPieces(slices, EVENTS_A_TURN)) {
      await nextTurn()
      collectMarks(collector, some)
      for (const slice of some) segment = grown(segment, slice, store.keys)
    }
    if (segment.events >= segmentEvents) segment.filter = collector.finish()
    dealt.push({ segment, slices })
    segment = emptySegment(segment.seg + 1, partition, segment.place + 1)
  }
  return { dealt, collector }
}

/** Dealt into pieces of so many rows; the first is filled up, of which so many are there already. */
function* inPieces(slices: Slice[], most: number, there = 0): Generator<Slice[]> {
  let piece: Slice[] = []
  let room = most - there
  for (const { batch, from, to } of slices) {
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + room)
      piece.push({ batch, from: at, to: end })
      room -= end - at
      at = end
      if (room > 0) continue
      yield piece
      piece = []
      room = most
    }
  }
  if (piece.length > 0) yield piece
}

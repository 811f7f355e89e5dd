import type { DuckDBConnection } from '@duckdb/node-api'
import { nextTurn } from '@manara/kit/turns'
import type { StoredLog } from '../../ports/log-store.ts'
import { insertSegment, partitionFor, remember, transaction } from './current-partition.ts'
import type { Partition } from './database.ts'
import { checkRoom } from './disk-room.ts'
import { CHUNK_ROWS } from './fill-vectors.ts'
import { finishSegment } from './finish-segment.ts'
import { createGramCollector } from './gram-filter.ts'
import { markOf } from './marks.ts'
import { hashesOf } from './recent-ids.ts'
import { toChunk } from './rows.ts'
import { emptySegment, grown, type Segment } from './segments.ts'
import { collect, type Store, type StoreSettings } from './store.ts'

/** Searches share the thread: they are let in this often. */
const EVENTS_A_TURN = 512

/** Stores a group in one transaction; answers which of each batch, by place, were stored before. */
export async function commitLogs(
  store: Store,
  settings: StoreSettings,
  connection: DuckDBConnection,
  group: StoredLog[][],
): Promise<number[][]> {
  if (group.length === 0) return []
  const { fresh, duplicates } = sortOut(store, group)
  if (fresh.length === 0) return duplicates
  checkRoom(settings)
  const partition = await partitionFor(store, settings, connection, fresh[0]?.received_at ?? 0)
  const { dealt, collector } = await deal(store, settings, partition, fresh)

  await transaction(connection, async () => {
    const appender = await connection.createAppender('logs', 'main', partition.alias)
    for (const { segment, logs } of dealt) {
      for (let from = 0; from < logs.length; from += CHUNK_ROWS) {
        await nextTurn()
        appender.appendDataChunk(toChunk(logs.slice(from, from + CHUNK_ROWS), segment.seg))
      }
    }
    appender.closeSync()
    for (const { segment } of dealt) if (segment.filter) await insertSegment(connection, segment)
  })

  store.collector = collector
  for (const { segment, logs } of dealt) {
    const hashes = hashesOf(logs)
    store.recentIds.addHashes(hashes)
    store.growingIds.push(hashes)
    remember(store.segments, segment)
    if (segment.filter) finishSegment(store, segment)
  }
  store.nextSeg = 1 + (dealt.at(-1)?.segment.seg ?? 0)
  noteMark(store, partition)
  return duplicates
}

/** Before anybody is told that the events are safe. */
function noteMark(store: Store, partition: Partition) {
  const first = store.segments.findLastIndex((segment) => segment.partition !== partition)
  const own = store.segments.slice(first + 1)
  store.marks.write(partition.name, markOf(own))
}

function sortOut({ recentIds }: Store, group: StoredLog[][]) {
  const fresh: StoredLog[] = []
  const seen = new Set<string>()
  const duplicates = group.map((logs) => {
    const places: number[] = []
    logs.forEach((log, place) => {
      if (seen.has(log.id) || recentIds.has(log.id, log.received_at)) places.push(place)
      else fresh.push(log)
      seen.add(log.id)
    })
    return places
  })
  return { fresh, duplicates }
}

/** Fills the growing segment up, then makes new ones. */
async function deal(
  store: Store,
  { segmentEvents }: StoreSettings,
  partition: Partition,
  logs: StoredLog[],
) {
  const last = store.segments.at(-1)
  let segment =
    last?.partition === partition && !last.filter ? last : emptySegment(store.nextSeg, partition)
  // Marks of events that then cannot be stored do no harm: a filter may say too much.
  let { collector } = store
  const dealt: { segment: Segment; logs: StoredLog[] }[] = []
  for (let from = 0; from < logs.length; ) {
    if (segment.events === 0) collector = createGramCollector()
    const part = logs.slice(from, from + segmentEvents - segment.events)
    for (const [at, log] of part.entries()) {
      if (at % EVENTS_A_TURN === 0) await nextTurn()
      collect(collector, log)
    }
    segment = grown(segment, part, store.keys)
    if (segment.events >= segmentEvents) segment.filter = collector.finish()
    dealt.push({ segment, logs: part })
    from += part.length
    segment = emptySegment(segment.seg + 1, partition)
  }
  return { dealt, collector }
}

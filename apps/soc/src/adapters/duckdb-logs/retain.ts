import type { Retention } from '../../ports/log-store.ts'
import { eventsOf, isOpen } from './current-partition.ts'
import { DAY_MS, type Partition } from './database.ts'
import { noteRollup } from './finish-segment.ts'
import { markOf } from './marks.ts'
import { withoutSources } from './rollup.ts'
import { type Segment, segmentsOf } from './segments.ts'
import { derivedFiles, type Store } from './store.ts'

const PARTS = 10

/**
 * Counted from the day an event was taken in: an import of old logs stays as long as any other, and
 * a wrong clock keeps nothing for ever. Where all is over the file goes; where some sources are, it
 * is written again without them.
 */
export async function retainLogs(
  store: Store,
  retention: Retention,
  now: number,
  retire: () => Promise<void>,
) {
  let dropped = 0
  let failure: { error: unknown } | undefined
  let came = Number.NEGATIVE_INFINITY
  forgetDamages(store, retention, now)
  for (const partition of [...store.partitions]) {
    const { dayStart } = partition
    // None came before those in front of it, though a clock that was behind may have said so.
    if (dayStart <= now + DAY_MS) came = Math.max(came, dayStart)
    const day = Math.max(came, dayStart)
    const sources = sourcesOf(store, partition)
    const over = sources.filter((source) => isOver(retention, source, day, now))
    if (over.length === 0) continue
    if (isOpen(store, partition)) await retire()
    try {
      dropped +=
        over.length === sources.length
          ? await dropPartition(store, partition)
          : await dropSources(store, partition, over)
    } catch (error) {
      // One that cannot be written again, for want of room or since it is damaged, keeps no other.
      failure ??= { error }
    }
  }
  const { bytes } = retention
  // So that making room never takes more than a part.
  store.partitionBytes = bytes === undefined ? Number.POSITIVE_INFINITY : bytes / PARTS
  while (bytes !== undefined && store.partitions.length > 0 && bytesOf(store) > bytes) {
    const oldest = store.partitions[0] as Partition
    if (isOpen(store, oldest)) await retire()
    dropped += await dropPartition(store, oldest)
  }
  if (failure) throw failure.error
  return { dropped }
}

/** Of files that are kept aside: their time would be over, had they stayed. */
function forgetDamages({ damages, partitions }: Store, { days }: Retention, now: number) {
  if (days === undefined) return
  for (const file of new Set(damages.list().map((damage) => damage.file))) {
    const isHere = partitions.some(({ name }) => name === file)
    const dayStart = Date.parse(file.slice(0, 10))
    if (!isHere && now >= dayStart + (1 + days) * DAY_MS) damages.forget(file)
  }
}

/** Without files that could not be opened: what can be read does not go to make up for them. */
const bytesOf = ({ database, partitions }: Store) =>
  partitions.reduce((sum, partition) => sum + database.bytes(partition), 0)

const sourcesOf = (store: Store, partition: Partition) => [
  ...new Set(segmentsOf(store, partition).flatMap(({ sources }) => [...sources.keys()])),
]

function isOver(
  { days, daysBySource }: Retention,
  source: string,
  dayStart: number,
  now: number,
): boolean {
  const limit = Object.hasOwn(daysBySource, source) ? daysBySource[source] : days
  return limit !== undefined && now >= dayStart + (1 + limit) * DAY_MS
}

async function dropPartition(store: Store, partition: Partition): Promise<number> {
  const events = eventsOf(store, partition)
  store.partitions = store.partitions.filter((other) => other !== partition)
  store.segments = store.segments.filter((segment) => segment.partition !== partition)
  await Promise.allSettled(store.running)
  // The mark first: one without its file says that the file was lost.
  store.marks.remove(partition.name)
  removeNotes(store, partition)
  await store.database.drop(partition)
  store.damages.forget(partition.name)
  return events
}

async function dropSources(store: Store, old: Partition, over: string[]): Promise<number> {
  // What cannot be read cannot be written again: such a file goes when all of it is over.
  if (segmentsOf(store, old).some(({ isLost }) => isLost)) return 0
  const before = eventsOf(store, old)
  const partition = await store.database.rewrite(old, over)
  const rewritten = segmentsOf(store, old).map((segment) =>
    without(store, segment, partition, over),
  )
  try {
    for (const { seg, events, sources } of rewritten) {
      await store.database.setSources(partition, seg, events, JSON.stringify([...sources]))
    }
  } catch (error) {
    await store.database.drop(partition)
    throw error
  }
  const bySeg = new Map(rewritten.map((segment) => [segment.seg, segment]))
  store.partitions = store.partitions.map((other) => (other === old ? partition : other))
  store.segments = store.segments.map((segment) =>
    segment.partition === old ? (bySeg.get(segment.seg) ?? segment) : segment,
  )
  await Promise.allSettled(store.running)
  await store.database.drop(old)
  removeNotes(store, old)
  for (const segment of rewritten) if (segment.rollups) noteRollup(store, segment)
  store.marks.remove(old.name)
  store.marks.write(partition.name, markOf(segmentsOf(store, partition)))
  return before - eventsOf(store, partition)
}

function removeNotes(store: Store, { name }: Partition) {
  for (const files of derivedFiles(store)) files.remove(name)
}

/** Its times and filter may now say too much, which is never wrong. */
function without({ keys }: Store, segment: Segment, partition: Partition, over: string[]): Segment {
  const sources = new Map([...segment.sources].filter(([source]) => !over.includes(source)))
  let events = 0
  for (const { count } of sources.values()) events += count
  const rollups = segment.rollups?.map((rollup) => withoutSources(rollup, keys, over))
  return { ...segment, partition, sources, events, rollups, inBlock: undefined }
}

import { BLOB, blobValue, type DuckDBConnection } from '@duckdb/node-api'
import { DAY_MS, type Partition } from './database.ts'
import { finishSegment } from './finish-segment.ts'
import { packFilter } from './gram-filter.ts'
import { bound } from './readers.ts'
import type { Segment } from './segments.ts'
import type { Store, StoreSettings } from './store.ts'

/**
 * Events are kept by the day they came in: what their own time says cannot make files. Those of
 * before midnight may come after others of after it; a clock that was set back further was wrong,
 * then or now, and gets a file of its day. While the file of the day is settled, which would hold
 * events up, the next ones go to another.
 */
export async function partitionFor(
  store: Store,
  settings: StoreSettings,
  connection: DuckDBConnection,
  receivedAt: number,
) {
  if (store.current && !isDayOf(store.current, receivedAt)) await retire(store, connection)
  const open = openOf(store)
  const withRoom = open.filter((one) => hasRoom(store, settings, one))
  const next = withRoom.find((one) => !store.database.isSettling(one))
  if (next && next === store.current) return next
  await finishLast(store, connection)
  store.current = next ?? (await create(store, nextName(store, open[0]?.dayStart ?? receivedAt)))
  store.resting = withRoom.find((one) => one !== store.current)
  for (const one of open) if (!isOpen(store, one)) store.onFull(one)
  return store.current
}

const isDayOf = ({ dayStart }: Partition, moment: number) =>
  moment >= dayStart - DAY_MS && moment < dayStart + DAY_MS

const openOf = ({ current, resting }: Store) =>
  [current, resting].filter((one) => one !== undefined)

/** Whether it may get more events. */
export const isOpen = (store: Store, partition: Partition) => openOf(store).includes(partition)

async function create(store: Store, name: string): Promise<Partition> {
  const partition = await store.database.create(name)
  store.partitions.push(partition)
  store.names.push(name)
  return partition
}

/** With the file that got the last events, whose last segment may still grow, and with one beside it. */
export function goOn(store: Store, settings: StoreSettings) {
  const last = store.segments.at(-1)?.partition
  if (!last) return
  store.current = last
  store.resting = store.partitions.findLast(
    (one) => one !== last && one.dayStart === last.dayStart && hasRoom(store, settings, one),
  )
}

function hasRoom(store: Store, { partitionEvents }: StoreSettings, partition: Partition) {
  return (
    eventsOf(store, partition) < partitionEvents &&
    store.database.bytes(partition) < store.partitionBytes
  )
}

function nextName({ names }: Store, moment: number): string {
  const day = new Date(moment).toISOString().slice(0, 10)
  const numbers = names.map((name) => (name.startsWith(day) ? Number(name.slice(11, 14)) : 0))
  return `${day}-${String(1 + Math.max(0, ...numbers)).padStart(3, '0')}`
}

/** The next events go to a new file. */
export async function retire(store: Store, connection: DuckDBConnection) {
  await finishLast(store, connection)
  const open = openOf(store)
  store.current = undefined
  store.resting = undefined
  for (const one of open) store.onFull(one)
}

/** A partition that gets no more events, for now or for good, has a filter for all of them. */
export async function finishLast(store: Store, connection: DuckDBConnection) {
  const last = store.segments.at(-1)
  if (!last || last.partition !== store.current || last.filter) return
  const segment = { ...last, filter: store.collector.finish() }
  await transaction(connection, () => insertSegment(connection, segment))
  remember(store.segments, segment)
  finishSegment(store, segment)
}

export function eventsOf({ segments }: Store, partition: Partition): number {
  let events = 0
  for (const segment of segments) if (segment.partition === partition) events += segment.events
  return events
}

export function remember(segments: Segment[], segment: Segment) {
  const last = segments.at(-1)
  if (last?.seg === segment.seg) segments[segments.length - 1] = segment
  else segments.push(segment)
}

export async function insertSegment(connection: DuckDBConnection, segment: Segment) {
  const { seg, partition, events, minAt, maxAt, minReceived, maxReceived, sources, filter } =
    segment
  if (typeof filter !== 'object') return
  const [values, types] = bound([
    seg,
    events,
    minAt,
    maxAt,
    minReceived,
    maxReceived,
    JSON.stringify([...sources]),
  ])
  await connection.run(
    `INSERT INTO ${partition.alias}.segments VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${segment.rewrites ?? 0})`,
    [...values, blobValue(packFilter(filter))],
    [...types, BLOB],
  )
}

export async function transaction(connection: DuckDBConnection, work: () => Promise<void>) {
  await connection.run('BEGIN')
  try {
    await work()
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

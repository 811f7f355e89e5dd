import { BLOB, blobValue, type DuckDBConnection } from '@duckdb/node-api'
import type { Partition } from './database.ts'
import { finishSegment } from './finish-segment.ts'
import { packFilter } from './gram-filter.ts'
import { bound } from './readers.ts'
import type { Segment } from './segments.ts'
import type { Store, StoreSettings } from './store.ts'

/** Events are kept by the day they came in: what a clock or an import says cannot make files. */
export async function partitionFor(
  store: Store,
  settings: StoreSettings,
  connection: DuckDBConnection,
  receivedAt: number,
) {
  const { current, lastName } = store
  const day = dayOf(receivedAt)
  const isSameDay = lastName !== undefined && day <= lastName.slice(0, 10)
  if (current && isSameDay && hasRoom(store, settings, current)) return current
  await retire(store, connection)
  const partition = await store.database.create(isSameDay ? nextName(lastName) : `${day}-001`)
  store.partitions.push(partition)
  store.current = partition
  store.lastName = partition.name
  return partition
}

function hasRoom(store: Store, { partitionEvents }: StoreSettings, partition: Partition) {
  return (
    eventsOf(store, partition) < partitionEvents &&
    store.database.bytes(partition) < store.partitionBytes
  )
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

const nextName = (name: string) =>
  `${name.slice(0, 10)}-${String(Number(name.slice(11, 14)) + 1).padStart(3, '0')}`

/** A partition that gets no more events has a filter for all of them. */
export async function retire(store: Store, connection: DuckDBConnection) {
  const last = store.segments.at(-1)
  if (last && last.partition === store.current && !last.filter) {
    const segment = { ...last, filter: store.collector.finish() }
    await transaction(connection, () => insertSegment(connection, segment))
    remember(store.segments, segment)
    finishSegment(store, segment)
  }
  const { current } = store
  store.current = undefined
  if (current) store.onFull(current)
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

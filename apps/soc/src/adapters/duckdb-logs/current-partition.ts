import { BLOB, blobValue, type DuckDBConnection } from '@duckdb/node-api'
import type { Partition } from './database.ts'
import { finishSegment } from './finish-segment.ts'
import { packFilter } from './gram-filter.ts'
import { bound } from './readers.ts'
import type { Segment } from './segments.ts'
import type { Store, StoreSettings } from './store.ts'

/**
 * Events are kept by the day they came in: what a clock or an import says cannot make files. While
 * the file of the day is settled, which would hold them up, the next events go to another.
 */
export async function partitionFor(
  store: Store,
  settings: StoreSettings,
  connection: DuckDBConnection,
  receivedAt: number,
) {
  const { lastName } = store
  const day = dayOf(receivedAt)
  const isSameDay = lastName !== undefined && day <= dayIn(lastName)
  if (!isSameDay) await retire(store, connection)
  const open = openOf(store)
  const withRoom = open.filter((one) => hasRoom(store, settings, one))
  const next = withRoom.find((one) => !store.database.isSettling(one))
  if (next && next === store.current) return next
  await finishLast(store, connection)
  store.current = next ?? (await create(store, isSameDay ? nextName(lastName) : `${day}-001`))
  store.resting = withRoom.find((one) => one !== store.current)
  for (const one of open) if (!isOpen(store, one)) store.onFull(one)
  return store.current
}

const openOf = ({ current, resting }: Store) =>
  [current, resting].filter((one) => one !== undefined)

/** Whether it may get more events. */
export const isOpen = (store: Store, partition: Partition) => openOf(store).includes(partition)

async function create(store: Store, name: string): Promise<Partition> {
  const partition = await store.database.create(name)
  store.partitions.push(partition)
  store.lastName = name
  return partition
}

/** With the last files of the last day, first with the one whose last segment may still grow. */
export function goOn(store: Store, settings: StoreSettings) {
  const { lastName } = store
  if (lastName === undefined || store.partitions.at(-1)?.name !== lastName) return
  const last = store.partitions.slice(-2).filter(({ name }) => dayIn(name) === dayIn(lastName))
  const growing = last.find((one) => one === store.segments.at(-1)?.partition)
  store.current = growing ?? last.at(-1)
  store.resting = last.find((one) => one !== store.current && hasRoom(store, settings, one))
}

function hasRoom(store: Store, { partitionEvents }: StoreSettings, partition: Partition) {
  return (
    eventsOf(store, partition) < partitionEvents &&
    store.database.bytes(partition) < store.partitionBytes
  )
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

const dayIn = (name: string) => name.slice(0, 10)

const nextName = (name: string) =>
  `${dayIn(name)}-${String(Number(name.slice(11, 14)) + 1).padStart(3, '0')}`

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

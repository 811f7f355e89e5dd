import { BLOB, blobValue, type DuckDBConnection } from '@duckdb/node-api'
import type { StoredLog } from '../../ports/log-store.ts'
import { collectMarks } from './collect-marks.ts'
import { transaction } from './current-partition.ts'
import type { Partition } from './database.ts'
import { checkRoom } from './disk-room.ts'
import { CHUNK_ROWS } from './fill-vectors.ts'
import { noteRollup } from './finish-segment.ts'
import { createGramCollector, type GramFilter, packFilter, unpackFilter } from './gram-filter.ts'
import { markOf } from './marks.ts'
import { packLogs } from './pack-logs.ts'
import { readPacked, wholeOf } from './packed-logs.ts'
import { blobOf, bound } from './readers.ts'
import { type Entry, sumUp } from './rollup.ts'
import { REWRITABLE, toChunk } from './rows.ts'
import { runsOf, type Segment, type SourceCount } from './segments.ts'
import type { Store, StoreSettings } from './store.ts'

const MINUTE_MS = 60_000
/** Where the new readings of events wait for their place. */
const WAITING = 'temp.main.rewritten'

/**
 * Puts events in the place of those with their id and time of arrival, which keep their row and
 * their segment. What was noted of a segment counts no more from then on; its filter keeps the marks
 * of before, so it may say too much and never misses.
 */
export async function rewriteLogs(
  store: Store,
  settings: StoreSettings,
  connection: DuckDBConnection,
  logs: StoredLog[],
): Promise<number> {
  const [first] = store.partitions
  if (logs.length === 0 || !first) return 0
  checkRoom(settings)
  await connection.run(`CREATE OR REPLACE TEMP TABLE rewritten AS
    SELECT * FROM ${first.alias}.logs LIMIT 0`)
  const appender = await connection.createAppender('rewritten', 'main', 'temp')
  for (let from = 0; from < logs.length; from += CHUNK_ROWS) {
    const some = readPacked(packLogs(logs.slice(from, from + CHUNK_ROWS)))
    appender.appendDataChunk(toChunk([wholeOf(some)], 0))
  }
  appender.closeSync()
  const byPlace = new Map(logs.map((log) => [placeOf(log.id, log.received_at), log]))
  let rewritten = 0
  for (const [partition, segments] of Map.groupBy(near(store, logs), (one) => one.partition)) {
    rewritten += await rewriteIn(store, connection, partition, segments, byPlace)
  }
  await connection.run(`DROP TABLE ${WAITING}`)
  return rewritten
}

const placeOf = (id: string, receivedAt: number) => `${receivedAt} ${id}`

/** The segments that hold events which came in at these times. */
function near({ segments }: Store, logs: StoredLog[]): Segment[] {
  const moments = logs.map((log) => log.received_at).toSorted((a, b) => a - b)
  return segments.filter(({ isLost, minReceived, maxReceived }) => {
    const first = moments.find((moment) => moment >= minReceived)
    return !isLost && first !== undefined && first <= maxReceived
  })
}

async function rewriteIn(
  store: Store,
  connection: DuckDBConnection,
  partition: Partition,
  near: Segment[],
  byPlace: Map<string, StoredLog>,
): Promise<number> {
  const where = inRuns(near)
  const rows = await connection.runAndReadAll(`SELECT DISTINCT old.seg, old.id, old.received_ms
    FROM ${partition.alias}.logs old JOIN ${WAITING} USING (id, received_ms) WHERE ${where('old')}`)
  const found = Map.groupBy(rows.getRows(), ([seg]) => Number(seg))
  const touched = near.filter(({ seg }) => found.has(seg))
  if (touched.length === 0) return 0
  const filters = await filtersOf(connection, partition, touched)
  for (const segment of touched) {
    const filter = filters.get(segment.seg)
    const collector = filter ? createGramCollector(filter) : store.collector
    const own = (found.get(segment.seg) ?? []).flatMap(
      ([, id, received]) => byPlace.get(placeOf(String(id), Number(received))) ?? [],
    )
    collectMarks(collector, [wholeOf(readPacked(packLogs(own)))])
    if (filter) filters.set(segment.seg, collector.finish())
  }
  const isTouched = inRuns(touched)
  return store.steady.change(async () => {
    let changed = 0
    let next: Segment[] = []
    await transaction(connection, async () => {
      const { rowsChanged } = await connection.run(`UPDATE ${partition.alias}.logs AS old
        SET ${REWRITABLE.map((name) => `"${name}" = fresh."${name}"`).join(', ')}
        FROM ${WAITING} fresh WHERE old.id = fresh.id AND old.received_ms = fresh.received_ms
          AND ${isTouched('old')}`)
      changed = rowsChanged
      next = await countAgain(store, connection, partition, touched, isTouched)
      for (const segment of next) await setSegment(connection, segment, filters.get(segment.seg))
    })
    remember(store, partition, next)
    return changed
  })
}

const inRuns = (segments: Segment[]) => {
  const runs = runsOf(segments)
  return (table: string) =>
    `(${runs.map((run) => `${table}.seg BETWEEN ${run[0]?.seg} AND ${run.at(-1)?.seg}`).join(' OR ')})`
}

/** Of those that have one: the segment that grows collects its marks in the store. */
async function filtersOf(connection: DuckDBConnection, { alias }: Partition, segments: Segment[]) {
  const rows = await connection.runAndReadAll(
    `SELECT seg, filter FROM ${alias}.segments WHERE ${inRuns(segments)('segments')}`,
  )
  return new Map<number, GramFilter>(
    rows.getRows().map(([seg, packed]) => [Number(seg), unpackFilter(blobOf(packed))]),
  )
}

/** What the store looks at before it reads: times, sources and counts, as they are now. */
async function countAgain(
  store: Store,
  connection: DuckDBConnection,
  { alias }: Partition,
  segments: Segment[],
  where: (table: string) => string,
): Promise<Segment[]> {
  const rows = await connection.runAndReadAll(
    `SELECT seg, CAST(floor(at_ms / ${MINUTE_MS}) AS BIGINT) * ${MINUTE_MS} AS at, source, severity,
       count(*), min(at_ms), max(at_ms)
     FROM ${alias}.logs WHERE ${where('logs')} GROUP BY ALL`,
  )
  const bySeg = Map.groupBy(rows.getRows(), ([seg]) => Number(seg))
  return segments.map((segment) => {
    const sources = new Map<string, SourceCount>()
    const entries: Entry[] = []
    for (const [, at, source, severity, amount, first, last] of bySeg.get(segment.seg) ?? []) {
      const [name, count, minAt, maxAt] = [
        String(source),
        Number(amount),
        Number(first),
        Number(last),
      ]
      entries.push({ at: Number(at), key: store.keys.numberOf(name, String(severity)), count })
      const known = sources.get(name)
      sources.set(name, {
        count: (known?.count ?? 0) + count,
        minAt: Math.min(known?.minAt ?? minAt, minAt),
        maxAt: Math.max(known?.maxAt ?? maxAt, maxAt),
      })
    }
    const times = [...sources.values()]
    const rollup = sumUp(entries)
    return {
      ...segment,
      sources,
      minAt: Math.min(...times.map(({ minAt }) => minAt)),
      maxAt: Math.max(...times.map(({ maxAt }) => maxAt)),
      rollups: rollup && [rollup],
      rewrites: (segment.rewrites ?? 0) + 1,
      filter: segment.filter && 'stored',
      inBlock: undefined,
    }
  })
}

async function setSegment(
  connection: DuckDBConnection,
  { seg, partition, minAt, maxAt, sources, rewrites = 0 }: Segment,
  filter: GramFilter | undefined,
) {
  if (!filter) return
  const [values, types] = bound([minAt, maxAt, JSON.stringify([...sources]), rewrites, seg])
  await connection.run(
    `UPDATE ${partition.alias}.segments
     SET min_at = $1, max_at = $2, sources = $3, rewrites = $4, filter = $6 WHERE seg = $5`,
    [...values, blobValue(packFilter(filter))],
    [...types, BLOB],
  )
}

/** Filters of so many segments make a block; until then they are read from the partition. */
const ENOUGH = 128

function remember(store: Store, partition: Partition, next: Segment[]) {
  const bySeg = new Map(next.map((segment) => [segment.seg, segment]))
  store.segments = store.segments.map((segment) => bySeg.get(segment.seg) ?? segment)
  for (const segment of next) if (segment.filter) noteRollup(store, segment)
  const own = store.segments.filter((segment) => segment.partition === partition)
  store.marks.write(partition.name, markOf(own))
  const alone = own.filter(({ filter, inBlock }) => filter && !inBlock)
  if (alone.length >= ENOUGH) store.onFull(partition)
}

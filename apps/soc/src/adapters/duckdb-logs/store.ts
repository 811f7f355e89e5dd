import { createSteadyReads, type SteadyReads } from '../steady-reads.ts'
import { collectMarks } from './collect-marks.ts'
import { createDamages, type Damages, describe, type KeptDamage } from './damages.ts'
import { type Database, openDatabase, type Partition } from './database.ts'
import { createFilterFiles, type FilterFiles } from './filter-files.ts'
import { createGramCollector, type GramCollector } from './gram-filter.ts'
import { HASH_VERSION, type Hashes } from './id-hashes.ts'
import { createMarks, type Marks, markOf } from './marks.ts'
import { packLogs } from './pack-logs.ts'
import { readPacked, wholeOf } from './packed-logs.ts'
import { createReaders, NO_BUDGET, type Readers } from './readers.ts'
import { createRecentIds, type RecentIds } from './recent-ids.ts'
import { attachOrRecover, keepLogAside } from './recover.ts'
import { createRollupKeys, type RollupKeys } from './rollup.ts'
import { COLUMN_LIST } from './rows.ts'
import { createSegmentNotes, type SegmentNotes } from './segment-notes.ts'
import { emptySegment, grown, type Segment, type SourceCount } from './segments.ts'
import { toLog } from './to-log.ts'

/** What the worker knows of the events on disk. */
export type Store = {
  database: Database
  readers: Readers
  /** In the order their first events came in, whatever the clock said. */
  partitions: Partition[]
  /** Where new events go, once there is a writer; a new one is made when there is none. */
  current: Partition | undefined
  /** Another of the same day, where they went before and will go again. */
  resting: Partition | undefined
  /** Of files, also of those that are gone: none is given again. */
  names: string[]
  /** By number. Only the last may still grow. */
  segments: Segment[]
  nextSeg: number
  /** The marks of the one that grows. */
  collector: GramCollector
  recentIds: RecentIds
  /** Of the segment that grows. */
  growingIds: Hashes[]
  /** Sources and severities by number. */
  keys: RollupKeys
  /** What was noted of full segments. */
  notes: { ids: SegmentNotes; rollups: SegmentNotes; looseFilters: SegmentNotes }
  /** Filters of full segments, to be read where they are needed. */
  filterFiles: FilterFiles
  /** A segment of this partition, or all of it, gets no more events. */
  onFull(partition: Partition): void
  /** Above this a partition is followed by the next: a share of what may be kept at all. */
  partitionBytes: number
  /** How much each partition held when its last events were acknowledged. */
  marks: Marks
  damages: Damages
  /** Partitions that could not be opened this time, for a reason that may go away. */
  leftOut: KeptDamage[]
  /** Between answers and events that are written anew. */
  steady: SteadyReads
  /** Searches under way: a partition is there until those that may read it have ended. */
  running: Set<Promise<unknown>>
}

export type StoreSettings = {
  directory: string
  memoryMb: number
  segmentEvents: number
  partitionEvents: number
  /** For filters that are in no block yet; those beyond are read from disk whenever they are needed. */
  filterMb: number
  /** Less free space on the disk than this, and nothing more is taken. */
  reserveMb: number
  /** After how many events a checkpoint is made, and from which length of the log on. */
  checkpoints?: { events: number; leastLogBytes: number } | undefined
}

export async function openStore(
  settings: StoreSettings,
  warn: (text: string) => void,
): Promise<Store> {
  const database = await openDatabase(settings)
  const store: Store = {
    database,
    readers: await createReaders(database.connect),
    partitions: [],
    current: undefined,
    resting: undefined,
    names: [],
    segments: [],
    nextSeg: 0,
    collector: createGramCollector(),
    recentIds: createRecentIds(),
    growingIds: [],
    keys: createRollupKeys(),
    notes: {
      ids: createSegmentNotes(settings.directory, 'ids', HASH_VERSION),
      rollups: createSegmentNotes(settings.directory, 'rollups', 1),
      looseFilters: createSegmentNotes(settings.directory, 'loose-filters', 1),
    },
    filterFiles: createFilterFiles(settings.directory),
    onFull() {},
    partitionBytes: Number.POSITIVE_INFINITY,
    running: new Set(),
    steady: createSteadyReads(),
    marks: createMarks(settings.directory),
    damages: createDamages(settings.directory),
    leftOut: [],
  }
  const names = database.names()
  store.names = [...names, ...store.damages.list().map(({ file }) => file)]
  for (const name of names) await openPartition(store, settings, name, warn)
  tellMissing(store, names, warn)
  for (const files of derivedFiles(store)) files.removeOthers(names)
  store.segments.sort((a, b) => a.seg - b.seg)
  const inOrder = store.segments.map(({ partition }) => partition)
  store.partitions = [...new Set([...inOrder, ...store.partitions])]
  // Numbers of segments that were lost are not given again: their file may come back from a backup.
  const numbers = [...store.segments, ...damagesOf(store)].map(({ seg }) => seg)
  store.nextSeg = 1 + numbers.reduce((max, seg) => Math.max(max, seg), -1)
  return store
}

/** What of a partition can be read; what cannot is told, and remembered. */
async function openPartition(
  store: Store,
  { directory }: StoreSettings,
  name: string,
  warn: (text: string) => void,
) {
  const { database, damages, marks } = store
  const mark = marks.read(name)
  const before = damages.list().filter(({ file }) => file === name)
  try {
    const { partition, reason } = await attachOrRecover(database, damages, directory, name)
    const segments = partition ? await readSegments(store, partition) : []
    for (const segment of segments) {
      segment.isLost = before.some((damage) => damage.segments.includes(segment.seg))
    }
    if (partition) {
      store.segments.push(...segments)
      store.partitions.push(partition)
    }
    const found = markOf(segments).events
    const missing = (mark?.events ?? 0) - found
    if (reason === undefined && missing <= 0) return
    if (reason === undefined) keepLogAside(damages, directory, name)
    const why = reason ?? `${name}.duckdb holds fewer events than were acknowledged`
    const lost = mark === undefined ? null : Math.max(0, missing)
    damages.add({ ...describe(name, why, mark, lost), foundAt: Date.now() })
    warn(`${why}: ${found} events of it can be read${lost ? `, ${lost} are lost` : ''}`)
    if (partition) await database.settle(partition)
    if (partition) marks.write(name, markOf(segments))
    else marks.remove(name)
  } catch (error) {
    const why = `${name}.duckdb cannot be read and is left out until the next start: ${error}`
    store.leftOut.push({
      ...describe(name, why, mark, mark?.events ?? null),
      foundAt: Date.now(),
    })
    warn(`the log file ${why}`)
  }
}

/** Marks whose file is gone, and was not written again under another name. */
function tellMissing({ marks, damages }: Store, names: string[], warn: (text: string) => void) {
  for (const name of marks.names()) {
    if (names.includes(name)) continue
    const mark = marks.read(name)
    const isReplaced = names.some((other) => other.startsWith(name.slice(0, 14)))
    if (mark && mark.events > 0 && !isReplaced) {
      const why = `${name}.duckdb is gone`
      damages.add({ ...describe(name, why, mark, mark.events), foundAt: Date.now() })
      warn(`${why}: ${mark.events} events are lost`)
    }
    marks.remove(name)
  }
}

/** All that may be missing from an answer. */
export const damagesOf = ({ damages, leftOut }: Store) => [...damages.list(), ...leftOut]

/** What stands beside the partitions and can be made anew from them. */
export const derivedFiles = ({ notes, filterFiles }: Store) => [
  ...Object.values(notes),
  filterFiles,
]

export function closeStore(store: Store) {
  const { database, readers, marks } = store
  readers.close()
  database.close()
  marks.close()
  for (const files of derivedFiles(store)) files.close()
}

async function readSegments(store: Store, partition: Partition): Promise<Segment[]> {
  const rows = await store.readers.read(
    `SELECT seg, events, min_at, max_at, min_received, max_received, sources, rewrites
     FROM ${partition.alias}.segments ORDER BY seg`,
    [],
    NO_BUDGET,
  )
  const full = rows.map((row, place): Segment => {
    const [seg, events, minAt, maxAt, minReceived, maxReceived] = row.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const sources = new Map(JSON.parse(String(row[6])) as [string, SourceCount][])
    const known = { seg, partition, place, events, minAt, maxAt, minReceived, maxReceived, sources }
    return { ...known, rewrites: Number(row[7] ?? 0), filter: 'stored', rollups: undefined }
  })
  return [...full, ...(await readGrowing(store, partition, full))]
}

/** What was stored since the last full segment has no row of its own yet. */
async function readGrowing(store: Store, partition: Partition, full: Segment[]) {
  const after = full.at(-1)?.seg ?? -1
  const rows = await store.readers.read(
    `SELECT seg, ${COLUMN_LIST} FROM ${partition.alias}.logs WHERE seg > ${after} ORDER BY seg`,
    [],
    NO_BUDGET,
  )
  return [...Map.groupBy(rows, ([seg]) => Number(seg))].map(([seg, found], at) => {
    const logs = found.map(([, ...row]) => toLog(row))
    const slice = wholeOf(readPacked(packLogs(logs)))
    const collector = createGramCollector()
    collectMarks(collector, [slice])
    // Others that were not finished, as when their file was left out once, are read without marks.
    if (store.segments.every((other) => other.seg < seg)) store.collector = collector
    return grown(emptySegment(seg, partition, full.length + at), slice, store.keys)
  })
}

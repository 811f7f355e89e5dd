import { startTurns } from '@manara/kit/turns'
import { requiredLiterals } from '@manara/log-query/literals'
import type { Limits, LogSelection } from '../../ports/log-store.ts'
import { type FilterQuery, mayContain, prepareFilterQuery, unpackFilter } from './gram-filter.ts'
import { dropFilterBlocks } from './make-filter-blocks.ts'
import { blobOf, NO_BUDGET, type Taken } from './readers.ts'
import { mayHold, type Segment } from './segments.ts'
import type { Store } from './store.ts'

export const segmentsInTime = ({ segments }: Store, selection: LogSelection) =>
  segments.filter((segment) => !segment.isLost && mayHold(selection, segment))

/** The segments that may hold what is asked for, by their times and by their filters. */
export const candidates = (store: Store, selection: LogSelection, limits: Limits | undefined) =>
  mayHaveText(store, segmentsInTime(store, selection), selection, limits?.signal)

/** Whoever has gone meanwhile is told so by an exception. */
export async function mayHaveText(
  store: Store,
  inTime: Segment[],
  { query }: LogSelection,
  signal: AbortSignal | undefined,
): Promise<Segment[]> {
  const clauses = requiredLiterals(query)
  if (clauses.length === 0) return inTime
  const wanted = prepareFilterQuery(clauses)
  const found = await findInBlocks(store, inTime, wanted, signal)
  // Decided before the next wait: a segment may get its place in a block meanwhile.
  const stored: Segment[] = []
  for (const segment of inTime) {
    if (found.has(segment)) continue
    const filter = segment.filter ?? marksSoFar(store, segment)
    if (filter === 'stored') stored.push(segment)
    else found.set(segment, !filter || mayContain(filter, wanted))
  }
  const more = stored.length === 0 ? undefined : await findStored(store, stored, wanted, signal)
  return inTime.filter((segment) => found.get(segment) ?? more?.has(segment))
}

/** Of the segment that grows: events are marked before they are stored. */
const marksSoFar = ({ segments, current, collector }: Store, segment: Segment) =>
  segment === segments.at(-1) && segment.partition === current ? collector.marks : undefined

/** The word of the blocks on the segments that are in one. */
async function findInBlocks(
  store: Store,
  segments: Segment[],
  wanted: FilterQuery,
  signal: AbortSignal | undefined,
) {
  const found = new Map<Segment, boolean>()
  const inBlocks = segments.filter(({ inBlock }) => inBlock)
  const turn = startTurns()
  for (const own of Map.groupBy(inBlocks, ({ inBlock }) => inBlock?.block).values()) {
    await turn()
    signal?.throwIfAborted()
    const [first] = own
    if (!first?.inBlock) continue
    const lanes = store.filterFiles.find(first.partition.name, first.inBlock.block, wanted)
    // Filters then come from the partition; the blocks are made anew with the next start.
    if (!lanes) dropFilterBlocks(store, first.partition)
    for (const segment of own) {
      const lane = segment.inBlock?.lane ?? 0
      if (lanes) found.set(segment, ((lanes[lane >>> 3] ?? 0) & (1 << (lane & 7))) !== 0)
    }
  }
  return found
}

/** The filters that memory had no room for, a partition's stretch at a time. */
async function findStored(
  { readers }: Store,
  segments: Segment[],
  wanted: FilterQuery,
  signal: AbortSignal | undefined,
) {
  const found = new Set<Segment>()
  for (let from = 0; from < segments.length; from += STORED_AT_ONCE) {
    const part = segments.slice(from, from + STORED_AT_ONCE)
    const bySeg = new Map(part.map((segment) => [segment.seg, segment]))
    for (const [alias, run] of Map.groupBy(part, ({ partition }) => partition.alias)) {
      const rows = await readers.read(
        `SELECT seg, filter FROM ${alias}.segments WHERE seg BETWEEN $1 AND $2`,
        [run[0]?.seg ?? 0, run.at(-1)?.seg ?? 0],
        { ...NO_BUDGET, signal },
        1,
      )
      for (const [seg, filter] of rows) {
        const segment = bySeg.get(Number(seg))
        if (segment && mayContain(unpackFilter(blobOf(filter)), wanted)) found.add(segment)
      }
    }
  }
  return found
}

const STORED_AT_ONCE = 256

/** A count reads far less of a segment than a search; at first nobody knows how slow it is. */
export const FIRST_COUNTED = 5
const MOST_AT_ONCE = 1_024
const LEAST_AT_ONCE = 2
/** How many times as much as the last one a slice may have. */
export const MOST_GROWTH = 4
/** Between two slices others have their turn; shorter ones cost more than they save. */
const SLICE_MS = 40

/**
 * Newest (or oldest) first, at first of as many events as `first` full segments have. Each of the
 * following has as many as take a moment, by the time that the last one took, of those that are still
 * wanted when it begins. By the end of each segment: events come late far more often than early, and a
 * few that are do not make it an old one.
 */
export function* slices(
  segments: Segment[],
  order: 'asc' | 'desc',
  first: number,
  taken: Taken | undefined,
  isWanted: (segment: Segment) => boolean = () => true,
) {
  const sorted = segments.toSorted(
    order === 'desc' ? (a, b) => b.maxAt - a.maxAt : (a, b) => a.maxAt - b.maxAt,
  )
  const full = mostIn(segments)
  let size = first
  let slice: Segment[] = []
  let events = 0
  for (const segment of sorted) {
    if (!isWanted(segment)) continue
    slice.push(segment)
    events += segment.events
    if (events < size * full && slice.length < Math.min(8 * size, MOST_AT_ONCE)) continue
    yield slice
    size = nextSize(size, taken?.lastMs ?? 0)
    slice = []
    events = 0
  }
  if (slice.length > 0) yield slice
}

/** How many events a full segment has. */
export const mostIn = (segments: Segment[]) =>
  segments.reduce((most, { events }) => Math.max(most, events), 1)

function nextSize(size: number, lastMs: number): number {
  const wanted = lastMs === 0 ? size : size * Math.min(MOST_GROWTH, SLICE_MS / lastMs)
  return Math.min(MOST_AT_ONCE, Math.max(Math.min(size, LEAST_AT_ONCE), wanted))
}

const LANES = 2

/** Two slices at once, each on a thread of its own, until one says that it was the last to look at. */
export async function eachOf(
  slices: Iterator<Segment[]>,
  read: (slice: Segment[]) => Promise<unknown>,
) {
  async function lane() {
    try {
      for (let next = slices.next(); !next.done; next = slices.next()) {
        if ((await read(next.value)) === false) break
      }
    } finally {
      slices.return?.()
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** Ever longer stretches from the newest on; at once the whole when there is no hurry. */
export function* prefixes(segments: Segment[], limits: Limits | undefined) {
  const sorted = segments.toSorted((a, b) => b.maxAt - a.maxAt)
  if (sorted.length === 0) return
  if (limits?.timeLimitMs !== undefined) {
    for (let size = FIRST_PREFIX; size < sorted.length; size *= 8) yield sorted.slice(0, size)
  }
  yield sorted
}

const FIRST_PREFIX = 16

import type { SourceSummary, TimeRange } from '../../ports/log-store.ts'
import type { Partition } from './database.ts'
import type { FilterBlock } from './filter-files.ts'
import type { GramFilter } from './gram-filter.ts'
import type { Slice } from './packed-logs.ts'
import { mergeRollups, type Rollup, type RollupKeys, rollUp } from './rollup.ts'

export type SourceCount = { count: number; minAt: number; maxAt: number }

/** Some thousand events that came in one after the other: what the store looks at before it reads them. */
export type Segment = {
  seg: number
  partition: Partition
  /** Which of its partition it is: numbers between two of them may be in another one. */
  place: number
  events: number
  minAt: number
  maxAt: number
  minReceived: number
  maxReceived: number
  /** How often its events were written anew. */
  rewrites?: number
  sources: Map<string, SourceCount>
  /** `stored` when it is only on disk; undefined while the segment grows, which then has to be read. */
  filter: GramFilter | 'stored' | undefined
  /** Where its filter stands among others, which is read there. */
  inBlock?: { block: FilterBlock; lane: number } | undefined
  /** Together they count all its events; undefined when these have to be read for it. */
  rollups: readonly Rollup[] | undefined
  /** It cannot be read any more. */
  isLost?: boolean
}

export const emptySegment = (seg: number, partition: Partition, place: number): Segment => ({
  seg,
  partition,
  place,
  events: 0,
  minAt: Number.POSITIVE_INFINITY,
  maxAt: Number.NEGATIVE_INFINITY,
  minReceived: Number.POSITIVE_INFINITY,
  maxReceived: Number.NEGATIVE_INFINITY,
  sources: new Map(),
  filter: undefined,
  rollups: [],
})

/** A copy with the events counted in: the old one stays true if they cannot be stored. */
export function grown(segment: Segment, slice: Slice, keys: RollupKeys): Segment {
  const { batch, from, to } = slice
  const { at, received, pairOf, pairs } = batch
  const rollups = withRollup(segment.rollups, rollUp(slice, keys))
  const next = { ...segment, sources: new Map(segment.sources), rollups }
  const byPair = pairs.map(() => ({ count: 0, minAt: Infinity, maxAt: -Infinity }))
  for (let row = from; row < to; row++) {
    const count = byPair[pairOf[row] as number] as SourceCount
    count.count += 1
    count.minAt = Math.min(count.minAt, at[row] as number)
    count.maxAt = Math.max(count.maxAt, at[row] as number)
    next.minReceived = Math.min(next.minReceived, received[row] as number)
    next.maxReceived = Math.max(next.maxReceived, received[row] as number)
  }
  for (const [number, { count, minAt, maxAt }] of byPair.entries()) {
    if (count === 0) continue
    const [source] = pairs[number] as readonly [string, string]
    const known = next.sources.get(source)
    next.sources.set(source, {
      count: (known?.count ?? 0) + count,
      minAt: Math.min(known?.minAt ?? minAt, minAt),
      maxAt: Math.max(known?.maxAt ?? maxAt, maxAt),
    })
    next.events += count
    next.minAt = Math.min(next.minAt, minAt)
    next.maxAt = Math.max(next.maxAt, maxAt)
  }
  return next
}

/** Small commits make many: they are laid together from time to time. */
const MOST_ROLLUPS = 16

function withRollup(rollups: readonly Rollup[] | undefined, more: Rollup | undefined) {
  if (!rollups || !more) return undefined
  if (rollups.length < MOST_ROLLUPS) return [...rollups, more]
  const merged = mergeRollups([...rollups, more])
  return merged && [merged]
}

export const eventsIn = (segments: readonly Segment[]) =>
  segments.reduce((sum, { events }) => sum + events, 0)

/** When the oldest event happened; null without any. */
export const oldestIn = (segments: readonly Segment[]) =>
  segments.reduce<number | null>((oldest, { minAt }) => Math.min(oldest ?? minAt, minAt), null)

export function sourcesIn(segments: readonly Segment[]): SourceSummary[] {
  const summaries = new Map<string, SourceSummary>()
  for (const segment of segments) {
    for (const [source, { count, minAt, maxAt }] of segment.sources) {
      const known = summaries.get(source)
      summaries.set(source, {
        source,
        count: (known?.count ?? 0) + count,
        firstAt: Math.min(known?.firstAt ?? minAt, minAt),
        lastAt: Math.max(known?.lastAt ?? maxAt, maxAt),
      })
    }
  }
  return [...summaries.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

export const segmentsOf = ({ segments }: { segments: Segment[] }, partition: Partition) =>
  segments.filter((segment) => segment.partition === partition)

/** Of one partition: neighbours, at most so many together. */
export function runsOf(segments: Segment[], most = Number.POSITIVE_INFINITY): Segment[][] {
  const runs: Segment[][] = []
  for (const segment of segments.toSorted((a, b) => a.seg - b.seg)) {
    const run = runs.at(-1)
    if (run && run.length < most && run.at(-1)?.place === segment.place - 1) run.push(segment)
    else runs.push([segment])
  }
  return runs
}

const overlaps = (range: TimeRange | undefined, min: number, max: number) =>
  (range?.from === undefined || max >= range.from) && (range?.to === undefined || min < range.to)

const isWithin = (range: TimeRange | undefined, min: number, max: number) =>
  (range?.from === undefined || min >= range.from) && (range?.to === undefined || max < range.to)

type Times = { time: TimeRange; received?: TimeRange | undefined }

export const mayHold = ({ time, received }: Times, segment: Segment) =>
  overlaps(time, segment.minAt, segment.maxAt) &&
  overlaps(received, segment.minReceived, segment.maxReceived)

export const liesWithin = ({ time, received }: Times, segment: Segment) =>
  isWithin(time, segment.minAt, segment.maxAt) &&
  isWithin(received, segment.minReceived, segment.maxReceived)

import type { Query } from '@manara/log-query/ast'
import type { LogSelection, TimeRange } from '../../ports/log-store.ts'
import { createKeyTest } from '../key-questions.ts'
import { hoursOf } from './hours-of-segments.ts'
import { eachOf, FIRST_COUNTED, slices } from './plan.ts'
import type { Budget } from './readers.ts'
import { HOUR_MS, type Rollup } from './rollup.ts'
import { eventsIn, liesWithin, mayHold, type Segment } from './segments.ts'
import { createBinding, fromSegments, selectionCondition, weightOf } from './statement.ts'
import type { Store } from './store.ts'

/** `at` is the beginning of a bucket, or of no meaning when there are none. */
type Add = (at: number, source: string, severity: string, count: number) => void

/** A part of the events of some segments that has to be read, since rollups are too coarse for it. */
type ToRead = { segments: Segment[]; time: TimeRange }

type KeyCounts = {
  /** How many events have to be read for it. */
  events: number
  /** What memory knows. */
  addKnown(add: Add): void
  /** The rest, newest first: may throw TimeLimitReached. */
  addRead(add: Add, budget: Budget): Promise<void>
}

/**
 * Counts by bucket, source and severity. Rollups answer for whole steps of time; events are read at
 * the edges of the time asked for, and where there is no rollup.
 */
export function keyCounts(
  store: Store,
  selection: LogSelection,
  bucketMs: number | undefined,
): KeyCounts {
  const matching = createPairTest(store, selection.query)
  const isOfHours = bucketMs === undefined || bucketMs % HOUR_MS === 0
  const rolled: { segment: Segment; from: number; to: number }[] = []
  const whole: Segment[] = []
  const edges = new Map<string, ToRead>()

  for (const segment of store.segments) {
    if (segment.isLost || !mayHold(selection, segment)) continue
    const step = stepOf(segment)
    const isRolled =
      step !== undefined &&
      (bucketMs === undefined || bucketMs % step === 0) &&
      liesWithin({ time: {}, received: selection.received }, segment)
    if (!isRolled) {
      whole.push(segment)
      continue
    }
    const { from, to } = within(selection.time, segment)
    const [first, last] = [Math.ceil(from / step) * step, Math.floor(to / step) * step]
    if (first > last) {
      addEdge(segment, { from, to })
      continue
    }
    rolled.push({ segment, from: first, to: last })
    if (from < first) addEdge(segment, { from, to: first })
    if (last < to) addEdge(segment, { from: last, to })
  }

  function addEdge(segment: Segment, time: TimeRange) {
    const name = `${time.from} ${time.to}`
    const edge = edges.get(name)
    if (edge) edge.segments.push(segment)
    else edges.set(name, { segments: [segment], time })
  }

  function addKnown(add: Add) {
    const { pairs } = store.keys
    const sums = createSums(bucketMs)
    const inHours: Segment[] = []
    for (const { segment, from, to } of rolled) {
      const isWhole = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY
      if (isWhole && isOfHours) inHours.push(segment)
      else for (const rollup of segment.rollups ?? []) sums.add(rollup, from, to)
    }
    for (const rollup of hoursOf(inHours)) {
      sums.add(rollup, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    }
    for (const [bucket, counts] of sums.byBucket) {
      for (const [key, count] of Object.entries(counts)) {
        const [source, severity] = pairs[Number(key)] as readonly [string, string]
        if (matching(Number(key))) add(bucket, source, severity, count)
      }
    }
  }

  async function addRead(add: Add, budget: Budget) {
    const parts = [...edges.values()]
    if (parts.length > 0) await readParts(parts, add, budget)
    await eachOf(slices(whole, 'desc', FIRST_COUNTED, budget.taken), (segments) =>
      readParts([{ segments, time: selection.time }], add, budget, whole),
    )
  }

  async function readParts(
    parts: ToRead[],
    add: Add,
    budget: Budget,
    all = parts.flatMap(({ segments }) => segments),
  ) {
    const binding = createBinding()
    const start =
      bucketMs === undefined
        ? '0'
        : `CAST(floor(at_ms / ${Number(bucketMs)}) AS BIGINT) * ${Number(bucketMs)}`
    const from = parts
      .map(({ segments, time }) =>
        fromSegments(
          segments,
          `${start} AS start, source, severity`,
          selectionCondition({ ...selection, time }, binding),
        ),
      )
      .join(' UNION ALL ')
    const rows = await store.readers.read(
      `SELECT start, source, severity, count(*) FROM (${from}) GROUP BY ALL`,
      binding.values,
      budget,
      weightOf(all, budget),
    )
    for (const [at, source, severity, amount] of rows) {
      add(Number(at), String(source), String(severity), Number(amount))
    }
  }

  const read = [...whole, ...[...edges.values()].flatMap(({ segments }) => segments)]
  return { events: eventsIn(read), addKnown, addRead }
}

/** Millions of entries of a long time are added up here: numbers only, and no bucket is looked up twice in a row. */
function createSums(bucketMs: number | undefined) {
  /** Of each bucket a number for each key it has. */
  const byBucket = new Map<number, number[]>()

  function bucketFor(start: number): number[] {
    const known = byBucket.get(start) ?? []
    byBucket.set(start, known)
    return known
  }

  return {
    byBucket,
    /** What begins within the time; stretches of a rollup are in order. */
    add({ starts, keys, counts }: Rollup, from: number, to: number) {
      let bucket: number[] | undefined
      let end = Number.NEGATIVE_INFINITY
      for (let i = 0; i < starts.length; i++) {
        const at = starts[i] as number
        if (at < from || at >= to) continue
        if (!bucket || at >= end) {
          const start = bucketMs === undefined ? 0 : Math.floor(at / bucketMs) * bucketMs
          end = bucketMs === undefined ? Number.POSITIVE_INFINITY : start + bucketMs
          bucket = bucketFor(start)
        }
        const key = keys[i] as number
        bucket[key] = (bucket[key] ?? 0) + (counts[i] as number)
      }
    },
  }
}

const stepOf = ({ rollups }: Segment) =>
  rollups?.reduce((step, { stepMs }) => Math.max(step, stepMs), 1)

/** Where the segment ends before the range does, it has no edge. */
function within({ from, to }: TimeRange, { minAt, maxAt }: Segment) {
  return {
    from: from === undefined || from <= minAt ? Number.NEGATIVE_INFINITY : from,
    to: to === undefined || to > maxAt ? Number.POSITIVE_INFINITY : to,
  }
}

/** Asked once for every pair. */
function createPairTest({ keys }: Store, query: Query): (key: number) => boolean {
  const matches = createKeyTest(query)
  const known: boolean[] = []
  return (key) => {
    known[key] ??= matches(...(keys.pairs[key] as readonly [string, string]))
    return known[key]
  }
}

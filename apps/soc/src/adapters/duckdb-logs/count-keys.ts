import type { LogSelection, TimeRange } from '../../ports/log-store.ts'
import type { Partition } from './database.ts'
import { hasHours, hoursOf } from './hours-of-partition.ts'
import { eachOf, FIRST_COUNTED, slices } from './plan.ts'
import type { Budget } from './readers.ts'
import { HOUR_MS } from './rollup.ts'
import { eventsIn, liesWithin, mayHold, type Segment } from './segments.ts'
import { createBinding, fromSegments, selectionCondition, weightOf } from './statement.ts'
import type { Store } from './store.ts'
import { createKeySums, type NameOf } from './sum-keys.ts'

/** `at` is the beginning of a bucket, or of no meaning when there are none. */
type Add = (at: number, name: string, count: number) => void

/** A part of the events of some segments that has to be read, since rollups are too coarse for it. */
type ToRead = { segments: Segment[]; time: TimeRange; events: number }

type KeyCounts = {
  /** How many events have to be read for it. */
  events: number
  /** What memory knows. */
  addKnown(add: Add): void
  /** The rest, newest first: may throw TimeLimitReached. */
  addRead(add: Add, budget: Budget): Promise<void>
}

/** So few are counted here: the engine takes longer to group them than to find them. */
const FEW_EVENTS = 1_000

/**
 * Counts by bucket and by what `nameOf` makes of source and severity. Whole hours are known for each
 * partition; what is before and behind them rollups answer for whole steps of time. Events are read
 * at the edges of the time asked for, and where there is no rollup.
 */
export function keyCounts(
  store: Store,
  selection: LogSelection,
  bucketMs: number | undefined,
  nameOf: NameOf,
): KeyCounts {
  const isOfHours = bucketMs === undefined || bucketMs % HOUR_MS === 0
  const hours = isOfHours && !selection.received ? wholeHours(selection.time) : undefined
  const besideHours = hours ? timesBeside(selection.time, hours) : [selection.time]
  const inHours = new Map<Partition, Segment[]>()
  const asked = new Set<Partition>()
  const rolled: { segment: Segment; from: number; to: number }[] = []
  const whole: Segment[] = []
  const edges = new Map<string, ToRead>()

  for (const segment of store.segments) {
    if (segment.isLost) continue
    const isInHours = hours !== undefined && hasHours(segment)
    if (isInHours) addInHours(segment)
    if (!mayHold(selection, segment)) continue
    asked.add(segment.partition)
    // Most lie in whole hours alone.
    const times = isInHours ? besideHours.filter((time) => mayHold({ time }, segment)) : undefined
    if (times?.length === 0) continue
    const step = stepOf(segment)
    const isRolled =
      step !== undefined &&
      (bucketMs === undefined || bucketMs % step === 0) &&
      liesWithin({ time: {}, received: selection.received }, segment)
    if (!isRolled) {
      whole.push(segment)
      continue
    }
    for (const time of times ?? [selection.time]) addRolled(segment, step, time)
  }

  /** Also those of other times: what is known of a partition is of all its segments. */
  function addInHours(segment: Segment) {
    const own = inHours.get(segment.partition)
    if (own) own.push(segment)
    else inHours.set(segment.partition, [segment])
  }

  function addRolled(segment: Segment, step: number, time: TimeRange) {
    const { from, to } = within(time, segment)
    const [first, last] = [Math.ceil(from / step) * step, Math.floor(to / step) * step]
    if (first > last) {
      addEdge(segment, step, { from, to })
      return
    }
    rolled.push({ segment, from: first, to: last })
    if (from < first) addEdge(segment, step, { from, to: first })
    if (last < to) addEdge(segment, step, { from: last, to })
  }

  function addEdge(segment: Segment, step: number, time: { from: number; to: number }) {
    const events = countWithin(segment, Math.floor(time.from / step) * step, time.to)
    if (events === 0) return
    const name = `${time.from} ${time.to}`
    const edge = edges.get(name) ?? { segments: [], time, events: 0 }
    edge.segments.push(segment)
    edge.events += events
    edges.set(name, edge)
  }

  function addKnown(add: Add) {
    const sums = createKeySums(store.keys, selection.query, bucketMs, nameOf)
    for (const { segment, from, to } of rolled) {
      for (const rollup of segment.rollups ?? []) sums.addRollup(rollup, from, to)
    }
    for (const [partition, segments] of inHours) {
      if (!hours || !asked.has(partition)) continue
      sums.addHours(hoursOf(partition, segments), hours.from, hours.to)
    }
    sums.tell(add)
  }

  async function addRead(add: Add, budget: Budget) {
    const parts = [...edges.values()]
    if (parts.length > 0) await readParts(parts, add, budget)
    await eachOf(slices(whole, 'desc', FIRST_COUNTED, budget.taken), (segments) =>
      readParts([{ segments, time: selection.time, events: Infinity }], add, budget, whole),
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
      parts.reduce((sum, { events }) => sum + events, 0) <= FEW_EVENTS
        ? `SELECT start, source, severity, 1 FROM (${from})`
        : `SELECT start, source, severity, count(*) FROM (${from}) GROUP BY ALL`,
      binding.values,
      budget,
      weightOf(all, budget),
    )
    for (const [at, source, severity, amount] of rows) {
      add(Number(at), nameOf(String(source), String(severity)), Number(amount))
    }
  }

  const read = [...whole, ...[...edges.values()].flatMap(({ segments }) => segments)]
  return { events: eventsIn(read), addKnown, addRead }
}

/** The hours that lie within a time; nothing where there is none. */
function wholeHours({ from, to }: TimeRange): { from: number; to: number } | undefined {
  const first = from === undefined ? -Infinity : Math.ceil(from / HOUR_MS) * HOUR_MS
  const last = to === undefined ? Infinity : Math.floor(to / HOUR_MS) * HOUR_MS
  return first < last ? { from: first, to: last } : undefined
}

function timesBeside({ from, to }: TimeRange, hours: { from: number; to: number }): TimeRange[] {
  return [
    ...(from !== undefined && from < hours.from ? [{ from, to: hours.from }] : []),
    ...(to !== undefined && hours.to < to ? [{ from: hours.to, to }] : []),
  ]
}

const stepOf = ({ rollups }: Segment) =>
  rollups?.reduce((step, { stepMs }) => Math.max(step, stepMs), 1)

/** Of stretches that begin in this time. */
function countWithin({ rollups = [] }: Segment, from: number, to: number): number {
  let events = 0
  for (const { starts, counts } of rollups) {
    for (let i = 0; i < starts.length; i++) {
      const at = starts[i] as number
      if (at >= from && at < to) events += counts[i] as number
    }
  }
  return events
}

/** Where the segment ends before the range does, it has no edge. */
function within({ from, to }: TimeRange, { minAt, maxAt }: Segment) {
  return {
    from: from === undefined || from <= minAt ? Number.NEGATIVE_INFINITY : from,
    to: to === undefined || to > maxAt ? Number.POSITIVE_INFINITY : to,
  }
}

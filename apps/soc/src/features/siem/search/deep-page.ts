import { invalid } from '@manara/kit/errors'
import type { Incomplete, Limits, LogSelection, TimeRange } from '../../../ports/log-store.ts'
import type { ReadableLogs } from './readable-logs.ts'

/** From here on it is worth finding out where a page begins before events are read. */
export const DEEP = 10_000
/** What is read in vain before the page, in memory with it. */
const MOST_PASSED = 100_000
const STEPS_MS = [3_600_000, 60_000, 1_000]

type Asked = { skip: number; order: 'asc' | 'desc'; deep: number }
type DeepPage = {
  /** Nothing when the list ends before it. */
  begin: { time: TimeRange; skip: number } | undefined
  total: number
  partial: Incomplete
}

/**
 * Where a page far down the list begins. Skipping reads what it skips, whole events; so hours are
 * passed over by their counts, then minutes and seconds.
 */
export async function findDeepPage(
  logs: Pick<ReadableLogs, 'histogram'>,
  selection: LogSelection,
  { skip, order, deep }: Asked,
  limits: Limits,
): Promise<DeepPage> {
  let { time } = selection
  let left = skip
  let total: number | undefined
  let missing: Incomplete = null
  let within = time
  for (const bucketMs of STEPS_MS) {
    const { buckets, partial } = await logs.histogram(
      { ...selection, time: within, bucketMs },
      limits,
    )
    const counted = buckets.map(({ from, counts }) => ({ from, events: sum(counts) }))
    total ??= counted.reduce((all, { events }) => all + events, 0)
    // What is lost or away is not found by the search either: the rest has its places without it.
    if (partial?.reason === 'time_limit') return { begin: undefined, total, partial }
    missing ??= partial
    const first = (order === 'asc' ? counted : counted.toReversed()).find(({ events }) => {
      if (events > left) return true
      left -= events
      return false
    })
    if (!first) return { begin: undefined, total, partial: missing }
    within = common(within, { from: first.from, to: first.from + bucketMs })
    time = order === 'asc' ? { ...time, from: within.from } : { ...time, to: within.to }
    if (left < deep) break
  }
  if (left > MOST_PASSED) {
    throw invalid('skip', 'lies too far within one second: page with cursor instead')
  }
  return { begin: { time, skip: left }, total: total ?? 0, partial: missing }
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

const common = (range: TimeRange, part: { from: number; to: number }) => ({
  from: Math.max(range.from ?? part.from, part.from),
  to: Math.min(range.to ?? part.to, part.to),
})

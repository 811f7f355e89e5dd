import type { Histogram, HistogramQuery } from '@manara/soc-contract/siem'
import type { Limits } from '../../../ports/log-store.ts'
import { bucketStarts, chooseBuckets } from './domain/buckets.ts'
import { selectionOf } from './domain/selection.ts'
import type { ReadableLogs } from './readable-logs.ts'

export async function countByTime(
  logs: ReadableLogs,
  { q, bucket_s, by, ...filter }: HistogramQuery,
  now: number,
  limits: Limits,
): Promise<Histogram> {
  const selection = selectionOf({ ...filter, query: q }, now)
  const bucketMs = bucket_s === undefined ? undefined : bucket_s * 1000
  const buckets = chooseBuckets({ ...selection.time, bucketMs }, now)
  const { from, to } = buckets
  const found = await logs.histogram(
    { ...selection, time: { from, to }, bucketMs: buckets.bucketMs, by },
    limits,
  )
  const counts = new Map(found.buckets.map((bucket) => [bucket.from, bucket.counts]))
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucket_s: buckets.bucketMs / 1000,
    buckets: bucketStarts(buckets).map((start) => toBucket(start, counts.get(start) ?? {}, by)),
    partial: found.partial,
  }
}

function toBucket(start: number, counts: Record<string, number>, by: string | undefined) {
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0)
  return { from: new Date(start).toISOString(), count, counts: by ? counts : {} }
}

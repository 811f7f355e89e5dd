import { invalid } from '@manara/kit/errors'

const SECOND = 1000
const DAY = 86_400 * SECOND
const SIZES = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800].map(
  (seconds) => seconds * SECOND,
)
const WANTED = 100
const MOST = 2_000

export type Buckets = { from: number; to: number; bucketMs: number }

/** Without a range the last day; without a size one that gives at most a hundred buckets. */
export function chooseBuckets(
  asked: { from?: number | undefined; to?: number | undefined; bucketMs?: number | undefined },
  now: number,
): Buckets {
  const to = asked.to ?? Math.max(now, asked.from ?? now)
  const from = asked.from ?? to - DAY
  const span = Math.max(0, to - from)
  // A range that begins amid a bucket ends amid another one.
  const fitting =
    SIZES.find((size) => Math.ceil(to / size) - Math.floor(from / size) <= WANTED) ??
    Math.ceil(span / (WANTED - 1) / DAY) * DAY
  const bucketMs = asked.bucketMs ?? fitting
  if (span / bucketMs > MOST) {
    throw invalid(
      'bucket_s',
      `gives more than ${MOST} buckets: take a larger one or a shorter range`,
    )
  }
  return { from, to, bucketMs }
}

/** Every bucket from the one that holds `from` to the last before `to`, also the empty ones. */
export function bucketStarts({ from, to, bucketMs }: Buckets): number[] {
  const starts: number[] = []
  for (let at = Math.floor(from / bucketMs) * bucketMs; at < to; at += bucketMs) starts.push(at)
  return starts
}

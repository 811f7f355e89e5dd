import type { Bucket } from '../ports/log-store.ts'

/** Adds up by time and name. Sources are called as their senders like, also `constructor`. */
export function beginBuckets() {
  const buckets = new Map<number, Map<string, number>>()
  return {
    add(from: number, name: string, count: number) {
      const counts = buckets.get(from) ?? new Map<string, number>()
      counts.set(name, (counts.get(name) ?? 0) + count)
      buckets.set(from, counts)
    },
    inOrder: (): Bucket[] =>
      [...buckets]
        .toSorted(([a], [b]) => a - b)
        .map(([from, counts]) => ({ from, counts: Object.fromEntries(counts) })),
  }
}

import type { Query } from '@manara/log-query/ast'
import { createKeyTest } from '../key-questions.ts'
import type { Hours } from './hours-of-partition.ts'
import type { Rollup, RollupKeys } from './rollup.ts'

/** Under which name events of this source and severity are counted. */
export type NameOf = (source: string, severity: string) => string

/** Adds up what is known of a time: numbers only, and no bucket is looked up twice in a row. */
export function createKeySums(
  keys: RollupKeys,
  query: Query,
  bucketMs: number | undefined,
  nameOf: NameOf,
) {
  const groups = createGroups(keys, query, nameOf)
  /** Of each bucket a number for each name. */
  const byBucket = new Map<number, number[]>()
  let bucket: number[] = []
  let [begin, end] = [0, 0]

  function bucketAt(at: number): number[] {
    if (at >= begin && at < end) return bucket
    begin = bucketMs === undefined ? Number.NEGATIVE_INFINITY : Math.floor(at / bucketMs) * bucketMs
    end = bucketMs === undefined ? Number.POSITIVE_INFINITY : begin + bucketMs
    bucket = byBucket.get(begin) ?? []
    byBucket.set(begin, bucket)
    return bucket
  }

  function count(counts: number[], key: number, events: number) {
    const group = groups.of(key)
    if (group !== NONE) counts[group] = (counts[group] ?? 0) + events
  }

  return {
    /** What begins within the time. */
    addRollup({ starts, keys, counts }: Rollup, from: number, to: number) {
      for (let i = 0; i < starts.length; i++) {
        const at = starts[i] as number
        if (at >= from && at < to) count(bucketAt(at), keys[i] as number, counts[i] as number)
      }
    },
    addHours(hours: Hours, from: number, to: number) {
      for (const [at, byKey] of hours) {
        if (at < from || at >= to) continue
        const counts = bucketAt(at)
        for (const [key, events] of byKey) count(counts, key, events)
      }
    },
    tell(add: (at: number, name: string, count: number) => void) {
      for (const [at, counts] of byBucket) {
        // Not every name is in every bucket.
        counts.forEach((events, group) => {
          add(at, groups.names[group] as string, events)
        })
      }
    },
  }
}

const NONE = -1

/** The number of the name of each pair, or none where it is not asked for; found out once. */
function createGroups({ pairs }: RollupKeys, query: Query, nameOf: NameOf) {
  const matches = createKeyTest(query)
  const names: string[] = []
  const byName = new Map<string, number>()
  const known = new Map<number, number>()

  function numberOf(name: string): number {
    const number = byName.get(name) ?? names.push(name) - 1
    byName.set(name, number)
    return number
  }

  return {
    names: names as readonly string[],
    of(key: number): number {
      const before = known.get(key)
      if (before !== undefined) return before
      const pair = pairs[key] as readonly [string, string]
      const number = matches(...pair) ? numberOf(nameOf(...pair)) : NONE
      known.set(key, number)
      return number
    },
  }
}

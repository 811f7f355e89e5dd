import type { Partition } from './database.ts'
import { HOUR_MS, type Rollup } from './rollup.ts'
import type { Segment } from './segments.ts'

/** How many events began in each hour, by key. */
export type Hours = ReadonlyMap<number, ReadonlyMap<number, number>>

type Known = { of: (readonly Rollup[])[]; hours: Map<number, Map<number, number>> }

/** Good as long as it was added up of the same rollups: these never change, segments get others. */
const known = new WeakMap<Partition, Known>()

/**
 * The counts by hour of segments of one partition, in the order of their numbers. They are added up
 * once, also when more follow: a long time is then a few numbers for each hour, however many events
 * it has.
 */
export function hoursOf(partition: Partition, segments: readonly Segment[]): Hours {
  let sums = known.get(partition)
  if (!sums?.of.every((rollups, at) => rollups === segments[at]?.rollups)) {
    sums = { of: [], hours: new Map() }
    known.set(partition, sums)
  }
  for (let at = sums.of.length; at < segments.length; at++) {
    const rollups = segments[at]?.rollups ?? []
    for (const rollup of rollups) addTo(sums.hours, rollup)
    sums.of.push(rollups)
  }
  return sums.hours
}

/** Those that get no more events, and whose counts are known. */
export const hasHours = ({ isLost, filter, rollups }: Segment) =>
  !isLost && filter !== undefined && rollups !== undefined

/** Stretches of a rollup are in order. */
function addTo(hours: Known['hours'], { starts, keys, counts }: Rollup) {
  let end = Number.NEGATIVE_INFINITY
  let byKey = new Map<number, number>()
  for (let i = 0; i < starts.length; i++) {
    const at = starts[i] as number
    if (at >= end) {
      const start = Math.floor(at / HOUR_MS) * HOUR_MS
      end = start + HOUR_MS
      byKey = hours.get(start) ?? new Map()
      hours.set(start, byKey)
    }
    const key = keys[i] as number
    byKey.set(key, (byKey.get(key) ?? 0) + (counts[i] as number))
  }
}

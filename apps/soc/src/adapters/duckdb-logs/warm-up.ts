import { nextTurn } from '@manara/kit/turns'
import { DAY_MS } from './database.ts'
import { hasHours, hoursOf } from './hours-of-partition.ts'
import { HOUR_MS } from './rollup.ts'
import { searchLogs } from './search.ts'
import type { Store } from './store.ts'
import { histogramOf } from './summaries.ts'

/** With few segments there is little to go through, compiled or not. */
const MANY_SEGMENTS = 100
const TURNS = 8

/**
 * Before anybody asks: adds up the counts of every partition, one after the other, so that whoever
 * asks meanwhile waits for one at most. Then asks for the last week and the last events itself, as
 * often as it takes until that is compiled.
 */
export async function warmUp(store: Store, signal: AbortSignal, now = Date.now()) {
  const counted = store.segments.filter(hasHours)
  for (const [partition, own] of Map.groupBy(counted, (one) => one.partition)) {
    await nextTurn()
    if (signal.aborted) return
    hoursOf(partition, own)
  }
  const week = { query: { kind: 'all' }, time: { from: now - 7 * DAY_MS } } as const
  const page = { skip: 0, limit: 50, order: 'desc', countUpTo: 0 } as const
  const turns = counted.length < MANY_SEGMENTS ? 1 : TURNS
  for (let turn = 0; turn < turns && !signal.aborted; turn++) {
    await histogramOf(store, { ...week, bucketMs: HOUR_MS, by: 'severity' }, { signal })
    await searchLogs(store, { ...week, ...page }, { signal })
  }
}

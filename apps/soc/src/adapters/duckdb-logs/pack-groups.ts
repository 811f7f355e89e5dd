import { nextTurn } from '@manara/kit/turns'
import type { StoredLog } from '../../ports/log-store.ts'
import { packLogs } from './pack-logs.ts'
import { type DuckdbPacked, dayOf } from './packed-logs.ts'

/** So many events are packed in one go: more would hold up the event loop. */
const GROUP_EVENTS = 500

/** Places of events, of one day each, whose file they go to. */
export function groupsOf(logs: StoredLog[]): number[][] {
  const days = Map.groupBy(logs.keys(), (place) => dayOf(logs[place]?.received_at ?? 0))
  return [...days]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, places]) =>
      Array.from({ length: Math.ceil(places.length / GROUP_EVENTS) }, (_, n) =>
        places.slice(n * GROUP_EVENTS, (n + 1) * GROUP_EVENTS),
      ),
    )
}

export async function packGroups(logs: StoredLog[], groups: number[][]): Promise<DuckdbPacked[]> {
  const parts: DuckdbPacked[] = []
  for (const places of groups) {
    if (parts.length > 0) await nextTurn()
    parts.push(packLogs(places.map((place) => logs[place] as StoredLog)))
  }
  return parts
}

/** Where those stand among all that are told by their place in a group. */
export const placesIn = (groups: number[][], told: number[][]) =>
  new Set(told.flatMap((places, at) => places.map((place) => groups[at]?.[place])))

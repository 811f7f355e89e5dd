import { batchOf, batchOfPacked, type LogBatch } from '../../../core/arrivals/log-batch.ts'
import type { LogStore, PackedLogs, StoredLog } from '../../../ports/log-store.ts'
import type { Picked } from './picked.ts'
import type { Part } from './read/part.ts'
import { type Tally, tallyOf } from './tally.ts'

/** Events that were read, with what is known of them without making each of them anew. */
export type Arrived = {
  batch: LogBatch
  tally: Tally[]
  /** By sieve; where nothing was sieved, everybody gets all. */
  picked?: Picked[] | undefined
  /** The same events as their store writes them. */
  packed?: PackedLogs | undefined
}

export const arrivedOf = (logs: StoredLog[]): Arrived => ({
  batch: batchOf(logs),
  tally: tallyOf(logs),
})

export function arrivedIn({ logs, size, bundle }: Part, unpack: LogStore['unpack']): Arrived {
  if (!bundle) return arrivedOf(logs)
  const { packed, lines, receivedAt, matched, tally, picked } = bundle
  if (!unpack) throw new Error('events were packed for a store that cannot unpack them')
  const held = { bytes: packed.bytes, lines, unpack: () => unpack(packed) }
  return { batch: batchOfPacked(held, { size, receivedAt, matched }), tally, picked, packed }
}

/** Without those at these places, and with `others` in their places. */
export function without(
  arrived: Arrived,
  places: ReadonlySet<number>,
  others: ReadonlyMap<number, StoredLog> = NONE,
): Arrived {
  if (places.size === 0 && others.size === 0) return arrived
  const left = arrived.batch
    .logs()
    .map((log, place) => others.get(place) ?? log)
    .filter((_, place) => !places.has(place))
  const picked = arrived.picked?.map((one) => ({
    places: one.places.filter((place) => !places.has(place)),
    logs: one.logs
      .map((log, at) => others.get(one.places[at] as number) ?? log)
      .filter((_, at) => !places.has(one.places[at] as number)),
  }))
  return { ...arrivedOf(left), picked }
}

const NONE: ReadonlyMap<number, StoredLog> = new Map()

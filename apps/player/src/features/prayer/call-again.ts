import type { WallClock } from '../../ports/wall-clock.ts'
import type { Almanac } from './almanac.ts'

export type CallAgainDeps = {
  almanac: Pick<Almanac, 'moments'>
  wall: Pick<WallClock, 'now' | 'isSet'>
  /** What was done for that prayer is to be done once more. */
  unmark(done: { key: string; at: number; same_ms: number }): void
}

const DAY_MS = 86_400_000
const KINDS = ['adhan', 'reminder', 'iqama']

/**
 * A prayer that is still ahead where the box stands now is called there, also if it was called
 * elsewhere today. One that has begun here is left as it is: nobody is called twice within minutes.
 */
export function callAgain({ almanac, wall, unmark }: CallAgainDeps): void {
  if (!wall.isSet()) return
  const now = wall.now()
  for (const { prayer, ...moment } of almanac.moments(now, now + DAY_MS)) {
    for (const kind of KINDS) unmark({ ...moment, key: `${kind}:${prayer}` })
  }
}

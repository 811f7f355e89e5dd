import { nextTurn as turn } from '@manara/kit/turns'
import {
  type Arrivals,
  type FollowDeps,
  followArrivals,
} from '../../core/arrivals/follow-arrivals.ts'
import { createHourlyCap } from '../../core/arrivals/hourly-cap.ts'
import type { LogBatch } from '../../core/arrivals/log-batch.ts'
import { isTemporary } from '../../db/connection-failure.ts'
import type { IocIndex } from './ioc-index.ts'
import { type Hit, matchLog } from './match-log.ts'
import { type Beyond, recordBeyond } from './record-beyond.ts'
import { recordSightings, type SightingDeps } from './record-sightings.ts'

const MOST_OF_ONE_AN_HOUR = 10_000

export type ArrivalDeps = {
  index: IocIndex
  /** Resolves when every indicator was read for the first time. */
  ready: Promise<void>
  mostAnHour?: number | undefined
} & Pick<FollowDeps, 'db' | 'logs' | 'stream' | 'isReady' | 'now' | 'log' | 'mostWaiting'> &
  SightingDeps

/**
 * Matches events as they arrive. An event counts as looked at when its sightings are committed, so a
 * kill in between costs none: it is looked at again, and a sighting that is there stays one.
 */
export function watchArrivals(deps: ArrivalDeps): Arrivals {
  const { index, now } = deps
  const cap = createHourlyCap(deps.mostAnHour ?? MOST_OF_ONE_AN_HOUR, now)

  async function look(batch: LogBatch) {
    const hits = batch.logs().flatMap((log) => matchLog(index.matcher, log))
    const kept: Hit[] = []
    const beyond: Beyond[] = []
    for (const [key, all] of Map.groupBy(hits, ({ type, value }) => `${type} ${value}`)) {
      const room = cap.room(key)
      kept.push(...all.slice(0, room))
      const [first, ...more] = all.slice(room)
      if (first) beyond.push({ ...first, count: 1 + more.length, isNews: cap.isNews(key) })
    }
    await recordEach(kept)
    for (const { type, value } of kept) cap.add(`${type} ${value}`, 1)
    if (beyond.length > 0) await recordBeyond(deps, beyond)
    // The loop belongs to others after each batch.
    await turn()
  }

  /** What the database refuses it would refuse again: only that is left out, and said. */
  async function recordEach(hits: Hit[]) {
    try {
      await recordSightings(deps, hits)
    } catch (error) {
      if (isTemporary(error)) throw error
      for (const hit of hits) {
        await recordSightings(deps, [hit]).catch((failure: unknown) => {
          if (isTemporary(failure)) throw failure
          deps.log.error({ err: failure, event: hit.log_id }, 'a sighting was not recorded')
        })
      }
    }
  }

  return followArrivals({
    ...deps,
    follower: 'indicators',
    refresh: () => deps.ready,
    isWanted: () => index.matcher.size() > 0,
    // What is stored was searched when the indicator came.
    beginsAt: now,
    look,
  })
}

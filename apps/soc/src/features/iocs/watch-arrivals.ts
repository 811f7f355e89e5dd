import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import { nextTurn as turn } from '@manara/kit/turns'
import { isConnectionFailure } from '../../db/connection-failure.ts'
import { createWorker } from '../../db/worker.ts'
import type { StoredLog } from '../../ports/log-store.ts'
import type { IocIndex } from './ioc-index.ts'
import { type Hit, matchLog } from './match-log.ts'
import { recordSightings, type SightingDeps } from './record-sightings.ts'

const AT_ONCE = 500
const MOST_WAITING = 20_000
// An indicator that is everywhere says no more with its thousandth event of a minute.
const MOST_OF_ONE = 100
const MINUTE = 60_000
// The loop belongs to others again after about two milliseconds.
const LOGS_A_TURN = 500
const POLL_MS = 2_000

/** Matches events as they arrive; what matches is recorded a moment later, in batches. */
export function watchArrivals(
  deps: {
    index: IocIndex
    /** Resolves when every indicator was read for the first time. */
    ready: Promise<void>
    log: Logger
    isReady(): boolean
    now(): number
  } & SightingDeps,
) {
  const { index, now } = deps
  const waiting: Hit[] = []
  let ofOne = new Map<string, number>()
  let minuteEnds = 0
  let left = 0
  let stopped = false

  const recorder = createWorker({
    async pass() {
      const hits = waiting.splice(0, AT_ONCE)
      try {
        await recordSightings(deps, hits, 'arrival')
      } catch (error) {
        // They wait for the database; what it refuses would be refused again.
        if (isAway(error)) waiting.unshift(...hits)
        throw error
      }
      return waiting.length > 0
    },
    isReady: deps.isReady,
    pollMs: POLL_MS,
    gapMs: 100,
    log: deps.log,
  })

  function beginMinute() {
    if (left > 0) deps.log.warn({ left }, 'not every match of the last minute was recorded')
    minuteEnds = now() + MINUTE
    ofOne = new Map()
    left = 0
  }

  function keep(hit: Hit) {
    if (now() >= minuteEnds) beginMinute()
    const seen = ofOne.get(hit.value) ?? 0
    if (seen >= MOST_OF_ONE || waiting.length >= MOST_WAITING) {
      left += 1
      return
    }
    ofOne.set(hit.value, seen + 1)
    waiting.push(hit)
  }

  return {
    start: recorder.start,
    async onStored(logs: StoredLog[]): Promise<void> {
      await deps.ready
      if (stopped || index.matcher.size() === 0) return
      for (let at = 0; at < logs.length; at += LOGS_A_TURN) {
        if (at > 0) await turn()
        for (const log of logs.slice(at, at + LOGS_A_TURN)) {
          for (const hit of matchLog(index.matcher, log)) keep(hit)
        }
      }
      if (waiting.length > 0) recorder.wake()
    },
    async stop() {
      stopped = true
      await recorder.stop()
    },
  }
}

const isAway = (error: unknown) =>
  isConnectionFailure(error) || (error instanceof AppError && error.status === 503)

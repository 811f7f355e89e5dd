import type { Logger } from '@manara/kit/logging'
import { createWorker } from '../../db/worker.ts'
import type { LogStore, Retention } from '../../ports/log-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Lets old logs go, now and every hour; without a limit nothing is ever dropped. A clock that jumped
 * ahead may be set right again, and what went until then is gone: so nothing goes by its day for a day.
 */
export function retainLogs(deps: {
  retain: LogStore['retain']
  retention: Retention
  now(): number
  /** Milliseconds that go on whatever the clock is set to. */
  uptime?: () => number
  log: Logger
}): { start(): void; stop(): Promise<void> } {
  const { retain, retention, now, uptime = () => performance.now(), log } = deps
  if (!hasLimit(retention)) return { start: () => {}, stop: async () => {} }
  /** How far the clock was ahead of the uptime. */
  let before: number | undefined
  let waitsUntil = Number.NEGATIVE_INFINITY

  function limitsFor(moment: number): Retention {
    const up = uptime()
    const ahead = moment - up
    const jump = ahead - (before ?? ahead)
    before = ahead
    if (jump > DAY_MS) {
      waitsUntil = up + DAY_MS
      log.warn({ jumpMs: jump }, 'the clock jumped ahead: for a day no logs go by their age')
    } else if (jump < -DAY_MS) waitsUntil = Number.NEGATIVE_INFINITY
    if (up >= waitsUntil) return retention
    return { ...retention, days: undefined, daysBySource: {} }
  }

  const worker = createWorker({
    async pass() {
      const moment = now()
      const { dropped } = await retain(limitsFor(moment), moment)
      if (dropped > 0) log.info({ dropped }, 'logs past their retention were dropped')
      return false
    },
    isReady: () => true,
    pollMs: HOUR_MS,
    gapMs: 0,
    log,
  })
  return {
    start() {
      worker.start()
      worker.wake()
    },
    stop: worker.stop,
  }
}

const hasLimit = ({ days, bytes, daysBySource }: Retention) =>
  days !== undefined || bytes !== undefined || Object.keys(daysBySource).length > 0

import type { Logger } from '@manara/kit/logging'
import { createWorker } from '../../db/worker.ts'
import type { LogStore, Retention } from '../../ports/log-store.ts'

const HOUR_MS = 3_600_000

/** Lets old logs go, now and every hour; without a limit nothing is ever dropped. */
export function retainLogs(deps: {
  retain: LogStore['retain']
  retention: Retention
  now(): number
  log: Logger
}): { start(): void; stop(): Promise<void> } {
  const { retain, retention, now, log } = deps
  if (!hasLimit(retention)) return { start: () => {}, stop: async () => {} }
  const worker = createWorker({
    async pass() {
      const { dropped } = await retain(retention, now())
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

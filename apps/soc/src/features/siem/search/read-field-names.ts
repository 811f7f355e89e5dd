import type { Logger } from '@manara/kit/logging'
import { createWorker } from '../../../db/worker.ts'
import type { LogStore, TimeRange } from '../../../ports/log-store.ts'
import { type FieldCatalogue, RECENT_DAYS } from './domain/field-catalogue.ts'

const DAY = 86_400_000
const RECENT_LIMIT_MS = 5_000
const WHOLE_LIMIT_MS = 60_000
// Arriving events teach their names at once; this is for what other processes store.
const POLL_MS = 10 * 60_000

/**
 * Fills the catalogue with the names of stored events: of the last days at the start and now and
 * then, and once of all, the newest first.
 */
export function readFieldNames(deps: {
  logs: Pick<LogStore, 'fieldNames'>
  catalogue: FieldCatalogue
  log: Logger
  now(): number
}) {
  const { logs, catalogue } = deps
  const stopping = new AbortController()
  let hasLookedAtAll = false

  async function read(time: TimeRange, timeLimitMs: number) {
    const limits = { timeLimitMs, signal: stopping.signal }
    const { names, partial } = await logs.fieldNames({ query: { kind: 'all' }, time }, limits)
    catalogue.read(names, { areAll: time.from === undefined && partial === null })
  }

  const worker = createWorker({
    async pass() {
      await read({ from: deps.now() - RECENT_DAYS * DAY }, RECENT_LIMIT_MS)
      if (hasLookedAtAll) return false
      await read({}, WHOLE_LIMIT_MS)
      hasLookedAtAll = true
      return false
    },
    isReady: () => true,
    pollMs: POLL_MS,
    gapMs: 0,
    log: deps.log,
  })
  return {
    start() {
      worker.start()
      worker.wake()
    },
    async stop() {
      const ended = worker.stop()
      stopping.abort()
      await ended
    },
  }
}

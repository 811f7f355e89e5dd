import type { Logger } from '@manara/kit/logging'
import { createWorker } from '../../../db/worker.ts'
import type { LogStore } from '../../../ports/log-store.ts'
import type { FieldCatalogue } from './domain/field-catalogue.ts'

const DAY = 86_400_000
const LOOK_BACK_DAYS = 7
const TIME_LIMIT_MS = 5_000
// Arriving events teach their names at once; this is for what other processes store.
const POLL_MS = 10 * 60_000

/** Fills the catalogue with the names of stored events, at the start and now and then. */
export function readFieldNames(deps: {
  logs: Pick<LogStore, 'fieldNames'>
  catalogue: FieldCatalogue
  log: Logger
  now(): number
}) {
  const { logs, catalogue } = deps
  const worker = createWorker({
    async pass() {
      const time = { from: deps.now() - LOOK_BACK_DAYS * DAY }
      const limits = { timeLimitMs: TIME_LIMIT_MS }
      catalogue.read(await logs.fieldNames({ query: { kind: 'all' }, time }, limits))
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
    stop: worker.stop,
  }
}

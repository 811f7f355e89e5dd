import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Notifications } from '../../../db/notifications.ts'
import type { Tables } from '../../../db/tables.ts'
import { createWorker } from '../../../db/worker.ts'
import type { EnabledParser } from '../normalise/own/own-parsers.ts'
import { enabledParsers } from './parsers.store.ts'

const POLL_MS = 5_000

/** Which parsers are on is the same in every process, as soon as each has heard of it. */
export function followParsers(deps: {
  db: Kysely<Tables>
  notifications: Pick<Notifications, 'on' | 'onGap'>
  setParsers(parsers: EnabledParser[]): void
  isReady(): boolean
  log: Logger
}) {
  let known = '[]'

  async function refresh() {
    const parsers = await enabledParsers(deps.db)
    const now = JSON.stringify(parsers)
    if (now === known) return
    known = now
    deps.setParsers(parsers)
  }

  const worker = createWorker({
    async pass() {
      await refresh()
      return false
    },
    ...{ isReady: deps.isReady, pollMs: POLL_MS, gapMs: 0, log: deps.log },
  })
  deps.notifications.on('soc_parsers', worker.wake)
  deps.notifications.onGap(worker.wake)
  return {
    refresh,
    start() {
      worker.start()
      worker.wake()
    },
    stop: worker.stop,
  }
}

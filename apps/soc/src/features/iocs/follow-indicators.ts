import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import type { Mode } from '../../core/mode/mode.ts'
import type { Database } from '../../db/database.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { Tables } from '../../db/tables.ts'
import { createWorkers } from '../../db/worker.ts'
import type { LogStore } from '../../ports/log-store.ts'
import { createAlertGap } from './alert-gap.ts'
import { createIocIndex } from './ioc-index.ts'
import { lookBack } from './look-back.ts'
import type { SightingDeps } from './record-sightings.ts'
import { watchArrivals } from './watch-arrivals.ts'

// A notification may get lost with a connection: who missed it looks by itself this often.
const POLL_MS = 5_000
// An event is stored a moment after its arrival.
const STORING_MS = 2_000

export type IocSettings = { alertScore: number; lookbackDays: number }

/** Keeps the indicators in memory, and matches them against arriving and stored events. */
export function followIndicators(
  deps: {
    db: Kysely<Tables>
    database: Pick<Database, 'isAvailable' | 'onAvailable'>
    mode: Mode
    log: Logger
    logs: Pick<LogStore, 'search' | 'scan' | 'engine'>
    /** This process, under the name it will have after a restart. */
    stream: string
    notifications: Pick<Notifications, 'on' | 'onGap'>
    settings: IocSettings
    now(): number
  } & Pick<SightingDeps, 'raiseAlert' | 'internalWorkflow'>,
) {
  const { db, database, mode, log, logs, notifications, settings, now, stream } = deps
  const { raiseAlert, internalWorkflow } = deps
  const ending = new AbortController()
  const { signal } = ending
  const index = createIocIndex(db, signal, now)
  const firstRead = Promise.withResolvers<void>()
  const { alertScore, lookbackDays: days } = settings
  const sighting = { raiseAlert, alertScore, alertGap: createAlertGap(now), internalWorkflow }

  const isReady = () => database.isAvailable() && mode.runsPipelines
  const workers = createWorkers({ isReady, log })
  const reader = workers.add({
    async pass() {
      await index.refresh()
      firstRead.resolve()
      seeker.wake()
      return false
    },
    pollMs: POLL_MS,
    gapMs: 0,
  })
  const seeker = workers.add({
    pass: () => lookBack({ db, logs, days, now, signal, ...sighting }),
    pollMs: POLL_MS,
    gapMs: 100,
  })
  const watcher = watchArrivals({
    ...{ db, logs, stream, index, log, isReady, now, ...sighting },
    ready: firstRead.promise,
  })
  // Events that came between an indicator and this process's hearing of it are looked at again.
  index.onAdded((missingSince) => {
    watcher.fallBehind(missingSince - STORING_MS)
    watcher.wake()
  })
  notifications.on('soc_iocs', reader.wake)
  notifications.onGap(reader.wake)
  void database.onAvailable(async () => reader.wake())

  return {
    onStored: mode.runsPipelines ? watcher.onStored : () => {},
    unseenSince: () => watcher.unseenSince() ?? Infinity,
    /** Not waiting for the database to tell: what was answered is matched from now on. */
    async indicatorsChanged() {
      if (mode.operatorChanges !== 'made') return
      await index.refresh().catch((error) => log.warn({ err: error }, 'indicators were not read'))
      seeker.wake()
    },
    start() {
      workers.start()
      watcher.start()
      reader.wake()
    },
    async stop() {
      ending.abort()
      firstRead.resolve()
      await Promise.all([workers.stop(), watcher.stop()])
    },
  }
}

import type { Logger } from '@manara/kit/logging'
import type { Changes } from '../core/change/operator-change.ts'
import type { Mode } from '../core/mode/mode.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Database } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { startWorker } from '../db/worker.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import { blockIndicators, unblockIndicators } from '../features/iocs/block-indicators.ts'
import { findIndicator } from '../features/iocs/find-indicator.ts'
import { createIocIndex } from '../features/iocs/ioc-index.ts'
import type { IocDeps } from '../features/iocs/iocs.routes.ts'
import { lookBack } from '../features/iocs/look-back.ts'
import type { AlertGap } from '../features/iocs/record-sightings.ts'
import { watchArrivals } from '../features/iocs/watch-arrivals.ts'
import type { LogStore } from '../ports/log-store.ts'

export type IocSettings = { alertScore: number; lookbackDays: number }

// A word may get lost with a connection: whoever missed it looks by themselves this often.
const POLL_MS = 5_000
const ALERT_GAP_MS = 60_000
const MOST_REMEMBERED = 10_000

/** Indicators, and their sightings in events that arrive and in those that are stored. */
export function composeIocs(
  deps: {
    database: Database
    mode: Mode
    log: Logger
    logs: Pick<LogStore, 'search' | 'scan'>
    notifications: Notifications
    settings: IocSettings
  } & Changes &
    Reads,
) {
  const { database, mode, log, logs, notifications, settings, internalWorkflow } = deps
  const db = database.kysely
  const now = Date.now
  const ending = new AbortController()
  const { signal } = ending
  const index = createIocIndex(db, signal)
  const firstRead = Promise.withResolvers<void>()
  const sighting = {
    raiseAlert,
    alertScore: settings.alertScore,
    alertGap: createAlertGap(now),
    internalWorkflow,
  }

  const reader = startWorker({
    async pass() {
      await index.refresh()
      firstRead.resolve()
      seeker.wake()
      return false
    },
    isReady: () => database.isAvailable() && mode.runsPipelines,
    pollMs: POLL_MS,
    gapMs: 0,
    log,
  })
  const seeker = startWorker({
    pass: () => lookBack({ db, logs, days: settings.lookbackDays, now, signal, ...sighting }),
    isReady: () => database.isAvailable() && mode.runsPipelines,
    pollMs: POLL_MS,
    gapMs: 100,
    log,
  })
  const watcher = watchArrivals({
    index,
    ready: firstRead.promise,
    log,
    isReady: database.isAvailable,
    now,
    ...sighting,
  })
  notifications.on('soc_iocs', reader.wake)
  notifications.onGap(reader.wake)
  void database.onAvailable(async () => reader.wake())

  /** Not waiting for the word of the database: what was answered is matched. */
  async function indicatorsChanged() {
    if (mode.operatorChanges !== 'made') return
    await index.refresh().catch((error) => log.warn({ err: error }, 'indicators were not read'))
    seeker.wake()
  }

  return {
    routes: {
      db,
      now,
      indicatorsChanged,
      readThrough: deps.readThrough,
      operatorChange: deps.operatorChange,
    } satisfies IocDeps,
    onStored: mode.runsPipelines ? watcher.onStored : () => {},
    findIndicator: (value: string) => findIndicator(db, value),
    blockIndicators,
    unblockIndicators,
    async stop() {
      ending.abort()
      firstRead.resolve()
      await Promise.all([reader.stop(), seeker.stop(), watcher.stop()])
    },
  }
}

/** One indicator on one host: the alert of a minute ago says it all. */
function createAlertGap(now: () => number): AlertGap {
  const begunAt = new Map<string, number>()
  return {
    isOver: (key) => (begunAt.get(key) ?? 0) <= now() - ALERT_GAP_MS,
    begin(key) {
      if (begunAt.size > MOST_REMEMBERED) begunAt.clear()
      begunAt.set(key, now())
    },
  }
}

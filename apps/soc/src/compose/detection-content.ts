import { hostname } from 'node:os'
import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import type { Mode } from '../core/mode/mode.ts'
import type { Database } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { startWorker } from '../db/worker.ts'
import { sameAlerts } from '../features/alerts/same-alerts.ts'
import type { ContentDeps } from '../features/detections/content.routes.ts'
import { installStarterRules } from '../features/detections/import/starter-rules.ts'
import { startMatcher } from '../features/detections/stream/matcher.ts'
import { startStream } from '../features/detections/stream/stream.ts'
import type { StoredLog } from '../ports/log-store.ts'
import type { composeDetections } from './detections.ts'

const STARTER_RULES = path.join(import.meta.dirname, '../../rules')
const STARTER_POLL_MS = 1_000

/** Rules on arriving events, and what comes with many rules: imports, previews, backtests. */
export function composeDetectionContent(deps: {
  database: Database
  notifications: Notifications
  mode: Mode
  log: Logger
  dataDir: string
  detections: ReturnType<typeof composeDetections>['routes']
}) {
  const { database, notifications, mode, log, detections } = deps
  const isReady = database.isAvailable
  const stream = !mode.runsPipelines
    ? undefined
    : startStream({
        ...detections,
        stream: `${hostname()}:${deps.dataDir}`,
        isReady,
        startMatcher,
        log,
      })
  notifications.on('soc_rules', () => stream?.refresh())
  notifications.onGap(() => stream?.refresh())
  stream?.refresh()
  const workers: { stop(): Promise<void> }[] = []
  const stopping = new AbortController()
  const { signal } = stopping

  return {
    routes: { ...detections, startMatcher, sameAlerts } satisfies ContentDeps,
    onStored: (logs: StoredLog[]) => stream?.onStored(logs),
    /** Once the database is there; in the background, nobody waits for it. */
    installStarterRules() {
      if (!mode.runsPipelines) return
      let isDone = false
      const worker = startWorker({
        async pass() {
          if (isDone) return false
          const count = await installStarterRules({
            ...detections,
            directory: STARTER_RULES,
            signal,
          })
          if (count > 0) log.info({ count }, 'starter rules were installed')
          isDone = true
          return false
        },
        isReady,
        pollMs: STARTER_POLL_MS,
        gapMs: 0,
        log,
      })
      workers.push(worker)
      worker.wake()
    },
    async stop() {
      stopping.abort()
      await Promise.all([stream?.stop(), ...workers.map((worker) => worker.stop())])
    },
  }
}

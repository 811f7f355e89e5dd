import type { Logger } from '@manara/kit/logging'
import type { Changes } from '../core/change/operator-change.ts'
import type { Mode } from '../core/mode/mode.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Database } from '../db/database.ts'
import { startWorker, type Worker } from '../db/worker.ts'
import { eventOfAlert, openAlertOf, openCaseOf } from '../features/alerts/alerts-of-rule.ts'
import { linkAlert, type NoteInCases } from '../features/alerts/link-alert.ts'
import type { OpenCase } from '../features/alerts/promote-alert.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import type { DetectionDeps } from '../features/detections/rules/rules.routes.ts'
import type { AlertRaising } from '../features/detections/runs/raise-alerts.ts'
import { runDueRules } from '../features/detections/runs/run-due-rules.ts'
import { tidyDetections } from '../features/detections/runs/tidy-detections.ts'
import { findSuppression } from '../features/detections/suppressions/suppressions.store.ts'
import { toLog } from '../features/siem/search/log-record.ts'
import type { LogStore } from '../ports/log-store.ts'

const DAY = 86_400_000
const SCHEDULE_POLL_MS = 1_000
const TIDY_MS = 3_600_000
const FIELDS_TIME_LIMIT_MS = 500

/** Rules, their schedule, and what they may ask of alerts, cases and the logs. */
export function composeDetections(
  deps: {
    database: Database
    mode: Mode
    log: Logger
    logs: LogStore
    openCase: OpenCase
    noteInCases: NoteInCases
    now?: () => number
  } & Changes &
    Reads,
) {
  const { database, mode, log, logs, operatorChange, internalWorkflow, readThrough } = deps
  const { now = Date.now } = deps
  const db = database.kysely
  const raising: AlertRaising = {
    raiseAlert,
    openAlertOf,
    openCaseOf,
    openCase: deps.openCase,
    linkAlert: (change, alertId, caseId) => linkAlert(deps.noteInCases, change, alertId, caseId),
  }
  const running = { db, logs, raising, now, internalWorkflow }

  /** What events of the last day have; a store that is slow or away knows nothing. */
  async function knownFields(names: string[]): Promise<string[]> {
    const selection = { query: { kind: 'all' as const }, time: { from: now() - DAY } }
    try {
      const { fields } = await logs.fields(selection, { timeLimitMs: FIELDS_TIME_LIMIT_MS })
      return fields.map(({ name }) => name).filter((name) => names.includes(name))
    } catch (error) {
      log.warn({ err: error }, 'the fields of stored events could not be read')
      return []
    }
  }

  /** One round of the schedule; true when more rules are due. */
  const stopping = new AbortController()
  const runSchedule = () => runDueRules({ ...running, log, signal: stopping.signal })
  const workers: Worker[] = []

  return {
    routes: {
      ...running,
      operatorChange,
      readThrough,
      knownFields,
      eventOfAlert,
      showLog: toLog,
    } satisfies DetectionDeps,
    raising,
    findSuppression,
    runSchedule,
    start() {
      if (!mode.runsPipelines) return
      const isReady = database.isAvailable
      workers.push(
        startWorker({ pass: runSchedule, isReady, pollMs: SCHEDULE_POLL_MS, gapMs: 0, log }),
        startWorker({
          pass: () => tidyDetections(db, now()),
          isReady,
          pollMs: TIDY_MS,
          gapMs: TIDY_MS,
          log,
        }),
      )
    },
    async stop() {
      stopping.abort()
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

import { fileURLToPath } from 'node:url'
import type { Http } from '@manara/kit/http'
import type { BacktestRequest } from '@manara/soc-contract/detection-content'
import type { LogBatch } from '../core/arrivals/log-batch.ts'
import type { SharedRules } from '../core/arrivals/matched.ts'
import type { Principal } from '../core/identity/principal.ts'
import type { Meter } from '../core/metrics/meter.ts'
import { createWorker, createWorkers } from '../db/worker.ts'
import { eventOfAlert, openAlertOf, openCaseOf } from '../features/alerts/alerts-of-rule.ts'
import type { OpenCase } from '../features/alerts/promote-alert.ts'
import { sameAlerts } from '../features/alerts/same-alerts.ts'
import { contentRoutes } from '../features/detections/content.routes.ts'
import { feedbackRoutes } from '../features/detections/feedback/feedback.routes.ts'
import { giveFeedback } from '../features/detections/feedback/give-feedback.ts'
import { fillSourcesOnce } from '../features/detections/import/fill-sources.ts'
import { rereadRulesOnce } from '../features/detections/import/reread-rules.ts'
import { installOnce } from '../features/detections/import/starter-rules.ts'
import { runBacktest } from '../features/detections/preview/backtest.ts'
import { createAlertsByTechnique } from '../features/detections/rules/alerts-by-technique.ts'
import type { IsFieldMissing, MissingFields } from '../features/detections/rules/check-rule.ts'
import { readCoverage } from '../features/detections/rules/coverage.ts'
import { type DetectionDeps, detectionRoutes } from '../features/detections/rules/rules.routes.ts'
import { alertOfLog } from '../features/detections/runs/alert-of-log.ts'
import { alertOfHit, claimByHand } from '../features/detections/runs/claim-hits.ts'
import type { AlertRaising } from '../features/detections/runs/raise-alerts.ts'
import { runDueRules } from '../features/detections/runs/run-due-rules.ts'
import { tidyDetections } from '../features/detections/runs/tidy-detections.ts'
import { startMatcher } from '../features/detections/stream/matcher.ts'
import { createStream } from '../features/detections/stream/stream.ts'
import { registerStreamMetrics } from '../features/detections/stream/stream-metrics.ts'
import { suppressionRoutes } from '../features/detections/suppressions/suppressions.routes.ts'
import { findSuppression } from '../features/detections/suppressions/suppressions.store.ts'
import { toLog } from '../features/siem/search/log-record.ts'
import type { Promotion } from '../features/siem/search/promote-log.ts'
import { createTrialsInTurn } from '../http/in-turn.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'
import { streamName } from './stream-name.ts'

const STARTER_RULES = fileURLToPath(new URL('../../rules/', import.meta.url))
const POLL_MS = 1_000
const TIDY_MS = 3_600_000
const BACKTEST_MS = 30_000
/** Sees what is shared with the team. */
const AGENT: Principal = {
  username: 'agent',
  role: 'service',
  permissions: new Set(),
  kind: 'agent',
}

type DetectionNeeds = {
  logs: LogStore
  meter: Meter
  openCase: OpenCase
  missingFields: MissingFields
  isFieldMissing: IsFieldMissing
  /** Has rules matched where events are read. */
  shareRules(rules: SharedRules | undefined): void
} & Pick<AlertRaising, 'raiseAlert' | 'linkAlert'>

/** Rules on arriving events, on schedules and by hand, and what comes with many of them. */
export function composeDetections(platform: Platform, needs: DetectionNeeds) {
  const { config, database, db, mode, log, notifications } = platform
  const { operatorChange, internalWorkflow, readThrough } = platform
  const { logs, raiseAlert, openCase, linkAlert } = needs
  const now = Date.now
  const stopping = new AbortController()
  const { signal } = stopping
  const raising = { raiseAlert, openAlertOf, openCaseOf, openCase, linkAlert }
  const running = { db, logs, raising, now, internalWorkflow, hitCap: config.ruleHitCap }
  const rules: DetectionDeps = {
    ...running,
    ...{ operatorChange, readThrough, eventOfAlert },
    ...{ missingFields: needs.missingFields, isFieldMissing: needs.isFieldMissing },
    showLog: toLog,
  }

  const coverage = { db, alertsByTechnique: createAlertsByTechnique(db) }

  const promotion: Pick<
    Promotion,
    'alertOfRule' | 'findSuppression' | 'alertOfHit' | 'claimForRule'
  > = {
    alertOfRule: (...asked) => alertOfLog(raising, ...asked),
    findSuppression: (tx, ruleId, event) => findSuppression(tx, ruleId, event, now()),
    alertOfHit,
    claimForRule: (tx, claim) => claimByHand(tx, { ...claim, now: now() }),
  }

  const isReady = () => mode.runsPipelines && database.isAvailable()
  const workers = createWorkers({ isReady, log })
  workers.add({ pass: () => runDueRules({ ...running, log, signal }), pollMs: POLL_MS, gapMs: 0 })
  workers.add({ pass: () => tidyDetections(db, now()), pollMs: TIDY_MS, gapMs: TIDY_MS })
  const install = installOnce({ ...rules, log, directory: STARTER_RULES, signal })
  const starter = createWorker({ pass: install, isReady, pollMs: POLL_MS, gapMs: 0, log })
  const done = () => stream.refresh()
  const again = rereadRulesOnce({ db, now, log, signal, internalWorkflow, done })
  const reader = workers.add({ pass: again.pass, pollMs: POLL_MS, gapMs: 0 })
  const sources = fillSourcesOnce({ db, now, log, signal, done })
  const filler = workers.add({ pass: sources.pass, pollMs: POLL_MS, gapMs: 0 })
  const stream = createStream({
    ...rules,
    ...{ startMatcher, shareRules: needs.shareRules, log },
    // Rules are read once: as this version reads them, with their sources.
    isReady: () => isReady() && again.isDone() && sources.isDone(),
    stream: streamName(config),
  })
  registerStreamMetrics(needs.meter, stream.state, now)
  notifications.on('soc_rules', stream.refresh)
  notifications.onGap(stream.refresh)

  return {
    promotion,
    coverage: (principal: Principal) => readThrough(() => readCoverage(coverage, principal)),
    giveFeedback: giveFeedback.bind(undefined, { logs, eventOfAlert }),
    /** For the agents, on the logs as they may read them. */
    backtest: (request: BacktestRequest, readable: Pick<LogStore, 'scan'>, within: AbortSignal) =>
      runBacktest({ db, logs: readable, startMatcher, now }, request, AGENT, {
        signal: within,
        timeLimitMs: BACKTEST_MS,
      }),
    onStored: (stored: LogBatch) => {
      if (mode.runsPipelines) stream.onStored(stored)
    },
    unseenSince: () => stream.state().unseenSince ?? Infinity,
    /** For investigations: which of the rules that are on match, without recording anything. */
    matchLogs: stream.match,
    /** Once the database is there; in the background, nobody waits for it. */
    installStarterRules() {
      starter.start()
      starter.wake()
    },
    routes(api: Http) {
      contentRoutes(api, {
        ...rules,
        ...coverage,
        ...{ startMatcher, sameAlerts },
        filesInTurn: platform.filesInTurn,
        previewsInTurn: platform.previewsInTurn,
        // Apart from previews: those end within seconds and need not wait for minutes.
        backtestsInTurn: createTrialsInTurn(),
      })
      detectionRoutes(api, rules)
      suppressionRoutes(api, rules)
      feedbackRoutes(api, rules)
    },
    start() {
      workers.start()
      stream.start()
      reader.wake()
      filler.wake()
    },
    async stop() {
      stopping.abort()
      await Promise.all([stream.stop(), workers.stop(), starter.stop()])
    },
  }
}

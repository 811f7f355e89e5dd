import type { Http } from '@manara/kit/http'
import type { MatchLogs } from '../features/agents/investigation/gather/find-hits.ts'
import {
  type InvestigationDeps,
  investigationRoutes,
} from '../features/agents/investigation/investigation.routes.ts'
import {
  createBaselineReader,
  createLearning,
} from '../features/agents/investigation/learn/learn-days.ts'
import { createInvestigations } from '../features/agents/investigation/records/investigations.ts'
import {
  type RunDeps,
  runInvestigation,
} from '../features/agents/investigation/run-investigation.ts'
import { createThreads } from '../features/agents/investigation/thread/threads.ts'
import type { QuickInvestigation } from '../features/agents/jobs/triage.ts'
import { techniqueOf } from '../features/detections/domain/mitre/techniques.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Platform } from './area.ts'

/** So many are thought about at once; others wait for their turn. */
const THREADS = 2
const PATIENCE_MS = 8_000

type InvestigationNeeds = {
  logs: LogStore
  matchLogs: MatchLogs
  limitInvestigate: InvestigationDeps['limitInvestigate']
  leaseMs: number | undefined
  devicesOf: RunDeps['devicesOf']
}

/** What happened around an alert, and what is usual here. */
export function composeInvestigation(platform: Platform, needs: InvestigationNeeds) {
  const { database, db, mode, log, internalWorkflow, readThrough } = platform
  const { logs, matchLogs, limitInvestigate, leaseMs } = needs
  const now = Date.now
  const isReady = () => mode.runsPipelines && database.isAvailable()
  const threads = createThreads(THREADS)
  // The learning has a thread of its own: it takes long and nobody waits for it.
  const learningThreads = createThreads(1)
  const learning = createLearning({ db, logs, threads: learningThreads, isReady, now, log })
  const readBaseline = createBaselineReader(db)
  const running: RunDeps = {
    ...{ db, logs, threads, readBaseline, matchLogs, techniqueOf, now },
    devicesOf: needs.devicesOf,
  }
  const investigations = createInvestigations({
    ...{ db, isReady, log, leaseMs, internalWorkflow },
    run: (request, how) => runInvestigation(running, request, how),
  })

  /** For Triage: the same over an alert, on a thread that people do not wait for. */
  const ownThread = createThreads(1)
  const investigateAlert: QuickInvestigation = async ({ alertId }, signal) => {
    const found = await runInvestigation(
      { ...running, threads: ownThread },
      { alert_context: alertId, has_cps_assets: false },
      { signal, tell: () => {} },
    )
    return { ...found, techniques: found.techniques.map(({ id }) => id) }
  }

  return {
    investigateAlert,
    routes: (api: Http) =>
      investigationRoutes(api, {
        ...{ db, investigations, limitInvestigate, readThrough },
        patienceMs: PATIENCE_MS,
      }),
    start() {
      investigations.begin()
      learning.start()
    },
    async stop() {
      await Promise.all([investigations.stop(), learning.stop()])
      await Promise.all([threads.stop(), learningThreads.stop(), ownThread.stop()])
    },
  }
}

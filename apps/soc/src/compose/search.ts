import type { Logger } from '@manara/kit/logging'
import type { Config } from '../config.ts'
import type { Changes } from '../core/change/operator-change.ts'
import type { Mode } from '../core/mode/mode.ts'
import type { Reads } from '../core/mode/read-through.ts'
import type { Database } from '../db/database.ts'
import { alertById } from '../features/alerts/alerts.store.ts'
import { raiseAlert } from '../features/alerts/raise-alert.ts'
import type { HuntDeps } from '../features/siem/hunts/hunts.routes.ts'
import { retainLogs } from '../features/siem/retain-logs.ts'
import { listLogs } from '../features/siem/search/list-logs.ts'
import type { SourceRate } from '../features/siem/search/list-sources.ts'
import type { Promotion } from '../features/siem/search/promote-log.ts'
import { createReadLogs } from '../features/siem/search/readable-logs.ts'
import type { SearchDeps } from '../features/siem/search/search.routes.ts'
import { showLogs } from '../features/siem/search/show-logs.ts'
import type { LogStore } from '../ports/log-store.ts'
import { showcase } from '../showcase/showcase.ts'

/** Reading the logs, hunts over them, and how long they stay. */
export function composeSearch(
  deps: {
    database: Database
    mode: Mode
    log: Logger
    logs: LogStore
    settings: Config['search']
    sourceRates(): ReadonlyMap<string, SourceRate>
  } & Pick<Promotion, 'openCase' | 'caseById' | 'alertOfRule' | 'findSuppression'> &
    Changes &
    Reads,
) {
  const { database, mode, log, logs, operatorChange, internalWorkflow, readThrough } = deps
  const { timeLimitMs, retention } = deps.settings
  const now = Date.now
  const readLogs = createReadLogs({
    mode,
    isDatabaseAvailable: database.isAvailable,
    store: logs,
    showcase: showLogs(showcase.logs),
  })
  const retaining = retainLogs({ retain: logs.retain, retention, now, log })

  return {
    routes: {
      db: database.kysely,
      mode,
      readLogs,
      timeLimitMs,
      now,
      operatorChange,
      internalWorkflow,
      readThrough,
      sourceRates: deps.sourceRates,
      promotion: {
        raiseAlert,
        alertById,
        openCase: deps.openCase,
        caseById: deps.caseById,
        alertOfRule: deps.alertOfRule,
        findSuppression: deps.findSuppression,
      },
    } satisfies SearchDeps & HuntDeps,
    /** The newest matches, for playbooks. */
    async searchLogs(
      asked: { query: string; from: Date; to: Date; limit: number },
      signal: AbortSignal,
    ) {
      const { query: q, ...range } = asked
      const page = { ...range, q, skip: 0, order: 'desc' } as const
      const { items, total } = await listLogs(logs, page, now(), { signal, timeLimitMs })
      return { logs: items, total }
    },
    stop: retaining.stop,
  }
}

import type { Http } from '@manara/kit/http'
import type { Query } from '@manara/log-query/ast'
import { alertById } from '../features/alerts/alerts.store.ts'
import { huntRoutes } from '../features/siem/hunts/hunts.routes.ts'
import type { EnabledParser } from '../features/siem/normalise/own/own-parsers.ts'
import { askPreview } from '../features/siem/parsers/ask-preview.ts'
import { followParsers } from '../features/siem/parsers/follow-parsers.ts'
import { ownParserRoutes } from '../features/siem/parsers/own-parsers.routes.ts'
import { parserRoutes } from '../features/siem/parsers/parsers.routes.ts'
import { enabledParsers } from '../features/siem/parsers/parsers.store.ts'
import type { CheckSamples } from '../features/siem/parsers/write-parser.ts'
import { reparseRoutes } from '../features/siem/reparse/reparse.routes.ts'
import { runReparses } from '../features/siem/reparse/run-reparse.ts'
import { retainLogs } from '../features/siem/retain-logs.ts'
import { retentionRoutes } from '../features/siem/retention/retention.routes.ts'
import { aggregateRoutes } from '../features/siem/search/aggregate.routes.ts'
import { createAskLogs } from '../features/siem/search/ask-logs.ts'
import { createFieldCatalogue } from '../features/siem/search/domain/field-catalogue.ts'
import { missingFields } from '../features/siem/search/exact-fields.ts'
import { listLogs } from '../features/siem/search/list-logs.ts'
import type { SourceRate } from '../features/siem/search/list-sources.ts'
import { namedLogs } from '../features/siem/search/named-logs.ts'
import type { Promotion } from '../features/siem/search/promote-log.ts'
import { readFieldNames } from '../features/siem/search/read-field-names.ts'
import { createReadLogs } from '../features/siem/search/readable-logs.ts'
import { searchRoutes } from '../features/siem/search/search.routes.ts'
import { showLogs } from '../features/siem/search/show-logs.ts'
import { type TailDeps, tailRoutes } from '../features/siem/search/tail.routes.ts'
import type { EventCounts } from '../features/siem/sources/count-events.ts'
import { readSourceHealth } from '../features/siem/sources/read-health.ts'
import { recoverCounts } from '../features/siem/sources/recover-counts.ts'
import type { TellDeps } from '../features/siem/sources/tell-sources.ts'
import { watchSources } from '../features/siem/sources/watch-sources.ts'
import { tellTrouble } from '../features/siem/tell-trouble.ts'
import { createInTurn } from '../http/in-turn.ts'
import type { DiskRoom } from '../ports/disk-room.ts'
import type { LogStore } from '../ports/log-store.ts'
import { showcase } from '../showcase/showcase.ts'
import type { Platform } from './area.ts'

type SearchNeeds = {
  logs: LogStore
  diskRoom: DiskRoom
  sourceRates(): ReadonlyMap<string, SourceRate>
  counts: EventCounts
  settleAlert: TellDeps['settleAlert']
  setParsers(parsers: EnabledParser[]): void
  live: Pick<TailDeps, 'sessions' | 'keepAliveMs'>
  onStored: TailDeps['onStored']
} & Omit<Promotion, 'alertById'>

const FIELD_SIEVE = new URL('../features/siem/search/field-sieve.ts', import.meta.url)

/** Reading the logs, hunts over them, and how long they stay. */
export function composeSearch(
  platform: Platform,
  {
    logs,
    diskRoom,
    sourceRates,
    counts,
    settleAlert,
    setParsers,
    live,
    onStored,
    ...needs
  }: SearchNeeds,
) {
  const { config, database, db, mode, log, operatorChange, internalWorkflow, readThrough } =
    platform
  const { timeLimitMs, retention } = config.search
  const now = Date.now
  const startedAt = now()
  const catalogue = createFieldCatalogue()
  const named = namedLogs(logs, catalogue)
  const names = readFieldNames({ logs, catalogue, log, now })
  const readLogs = createReadLogs({
    mode,
    isDatabaseAvailable: database.isAvailable,
    store: named,
    showcase: showLogs(showcase.logs),
  })
  const retaining = retainLogs({ retain: logs.retain, retention, now, log })
  const canRecord = () => mode.runsPipelines && database.isAvailable()
  const trouble = tellTrouble({
    ...{ logs, diskRoom, db, internalWorkflow, log },
    raiseAlert: needs.raiseAlert,
    isReady: canRecord,
  })
  const sources = watchSources({
    ...{ db, counts, internalWorkflow, settleAlert, log, now },
    // With a server others count at the same time: what they have not written yet is not missing.
    ...(logs.engine === 'duckdb'
      ? { recover: () => recoverCounts({ db, logs, counts, startedAt }) }
      : {}),
    raiseAlert: needs.raiseAlert,
    isReady: canRecord,
  })
  const sourceHealth = async () =>
    database.isAvailable() ? readSourceHealth(db, now()) : new Map<string, never>()
  const following = followParsers({
    ...{ db, setParsers, log, notifications: platform.notifications },
    isReady: canRecord,
  })
  const reparsing = runReparses({
    ...{ db, logs, internalWorkflow, log, now, notifications: platform.notifications },
    enabledParsers: () => enabledParsers(db),
    isReady: canRecord,
  })
  const checkSamples: CheckSamples = async (definition, samples) => {
    const work = { definition, samples, logs: [], receivedAt: now() }
    return (await askPreview(work)).samples
  }
  const promotion: Promotion = { alertById, ...needs }

  return {
    /** For rules, which name fields exactly. */
    missingFields: (query: Query) => missingFields(query, catalogue),
    isFieldMissing: catalogue.isMissing,
    /** For the tools. */
    askLogs: createAskLogs({ readLogs, timeLimitMs, now }),
    /** The newest matches, for playbooks. */
    async searchLogs(
      asked: { query: string; from: Date; to: Date; limit: number },
      signal: AbortSignal,
    ) {
      const { query: q, ...range } = asked
      const page = { ...range, q, skip: 0, order: 'desc' } as const
      const { items, total } = await listLogs(named, page, now(), { signal, timeLimitMs })
      return { logs: items, total }
    },
    routes(api: Http) {
      const inTurn = createInTurn()
      const search = {
        ...{ db, mode, readLogs, inTurn, timeLimitMs, now, sourceRates, promotion },
        ...{ sourceHealth, sessions: live.sessions },
      }
      const deps = { ...search, operatorChange, internalWorkflow, readThrough }
      searchRoutes(api, deps)
      aggregateRoutes(api, deps)
      retentionRoutes(api, { logs, diskRoom, retention, now, inTurn, timeLimitMs })
      tailRoutes(api, { ...live, onStored, now, names: catalogue })
      huntRoutes(api, deps)
      const parsers = { ...deps, checkSamples, refresh: following.refresh }
      parserRoutes(api, parsers)
      ownParserRoutes(api, parsers)
      reparseRoutes(api, deps)
    },
    sieve: FIELD_SIEVE,
    onPicked: catalogue.learn,
    start() {
      retaining.start()
      trouble.start()
      sources.start()
      following.start()
      reparsing.start()
      names.start()
    },
    async stop() {
      await Promise.all([
        retaining.stop(),
        names.stop(),
        trouble.stop(),
        sources.stop(),
        following.stop(),
        reparsing.stop(),
      ])
    },
  }
}

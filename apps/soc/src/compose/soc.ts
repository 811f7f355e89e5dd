import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { closeHttp, type Http } from '@manara/kit/http'
import manifest from '../../package.json' with { type: 'json' }
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { startAfterCommit } from '../core/change/after-commit.ts'
import { createOperatorChange } from '../core/change/operator-change.ts'
import { createFirstAdmin } from '../core/identity/first-admin.ts'
import { startIdentity } from '../core/identity/start-identity.ts'
import { modeOf } from '../core/mode/mode.ts'
import { createReads } from '../core/mode/read-through.ts'
import { type DatabaseOptions, openDatabase } from '../db/database.ts'
import {
  alertIdsOf,
  linkAlerts,
  moveAlerts,
  releaseAlerts,
} from '../features/alerts/case-alerts.ts'
import { noteInCases } from '../features/cases/cases/note-in-cases.ts'
import { openCase } from '../features/cases/cases/open-case.ts'
import { caseDetail } from '../features/cases/cases/read-case.ts'
import { alertOfLog } from '../features/detections/runs/alert-of-log.ts'
import { siteById } from '../features/sites/sites.store.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import { showcase } from '../showcase/showcase.ts'
import { composeDetectionContent } from './detection-content.ts'
import { composeDetections } from './detections.ts'
import { composeEdr } from './edr.ts'
import { composeIocs } from './iocs.ts'
import { composeReports } from './reports.ts'
import { composeResponse } from './response.ts'
import { composeSearch } from './search.ts'
import { composeSiem } from './siem.ts'
import { composeSites } from './sites.ts'

export type Soc = {
  http: Http
  /** Now, or when the database comes; tells the password if it was generated. */
  makeFirstAdmin(tell: (password: string) => void): Promise<void>
  /** In the background, once the database is there. */
  installStarterRules(): void
  listenSyslog: ReturnType<typeof composeSiem>['listenSyslog']
  stop(): Promise<void>
}

/**
 * The only file that knows every name: hands each feature what it needs of the others. Everything
 * but the embedded engine and the port: what tests take apart and put together.
 */
export async function assembleSoc(
  config: Config,
  engine: DatabaseOptions & { keepAliveMs?: number; leaseMs?: number },
): Promise<Soc> {
  const mode = modeOf(config.mode)
  const { log } = engine
  await using undo = new AsyncDisposableStack()

  const database = await openDatabase(engine)
  undo.defer(() => database.close())
  const db = database.kysely

  const background = await startAfterCommit({ connection: engine.connection, database, log })
  undo.defer(() => background.stop())
  const { notifications, recordAudit, feed } = background

  const identity = await startIdentity({
    database,
    notifications,
    keyFile: path.join(config.dataDir, 'token.key'),
  })
  const limits = createRateLimits({ rates: config.rates, database })
  const { readThrough } = createReads({ database, mode, showcase })
  const { operatorChange, internalWorkflow } = createOperatorChange({
    database,
    mode,
    recordAudit,
    wake: background.wake,
  })
  const cookie = sessionCookie(config.tls !== undefined)

  const siem = composeSiem({
    mode,
    log,
    dataDir: config.dataDir,
    clickhouse: config.clickhouse,
    host: config.host,
    settings: config.ingest,
  })
  undo.defer(() => siem.stop())

  const edr = composeEdr({
    database,
    mode,
    log,
    settings: config.edr,
    holdSite: (tx, id) => siteById(tx, id, 'against-removal'),
    operatorChange,
    internalWorkflow,
    readThrough,
  })
  undo.defer(() => edr.stop())
  siem.onStored(edr.onStored)

  const iocs = composeIocs({
    database,
    mode,
    log,
    logs: siem.logs,
    notifications,
    settings: config.iocs,
    operatorChange,
    internalWorkflow,
    readThrough,
  })
  undo.defer(() => iocs.stop())
  siem.onStored(iocs.onStored)

  const sites = composeSites({
    db,
    logs: siem.logs,
    dependents: [],
    operatorChange,
    readThrough,
  })

  const reports = composeReports({
    db,
    chromium: config.chromium,
    now: () => new Date(),
  })
  const alertsOfCases = { linkAlerts, releaseAlerts, moveAlerts, alertIdsOf }
  const detections = composeDetections({
    database,
    mode,
    log,
    logs: siem.logs,
    openCase: (change, fields) => openCase(alertsOfCases, change, fields),
    noteInCases,
    operatorChange,
    internalWorkflow,
    readThrough,
  })
  detections.start()
  undo.defer(() => detections.stop())
  const content = composeDetectionContent({
    database,
    notifications,
    mode,
    log,
    dataDir: config.dataDir,
    detections: detections.routes,
  })
  undo.defer(() => content.stop())
  siem.onStored(content.onStored)

  const search = composeSearch({
    database,
    mode,
    log,
    logs: siem.logs,
    settings: config.search,
    sourceRates: () => siem.routes.counters.sources,
    openCase: (change, fields) => openCase(alertsOfCases, change, fields),
    caseById: (tx, id) => caseDetail(alertsOfCases, tx, id),
    alertOfRule: (...asked) => alertOfLog(detections.raising, ...asked),
    findSuppression: (tx, ruleId, event) =>
      detections.findSuppression(tx, ruleId, event, Date.now()),
    operatorChange,
    internalWorkflow,
    readThrough,
  })
  undo.defer(() => search.stop())

  const response = await composeResponse({
    database,
    notifications,
    mode,
    log,
    dataDir: config.dataDir,
    settings: config.response,
    leaseMs: engine.leaseMs,
    alerts: alertsOfCases,
    later: {
      searchLogs: search.searchLogs,
      findIndicator: iocs.findIndicator,
      blockIndicators: iocs.blockIndicators,
      unblockIndicators: iocs.unblockIndicators,
      requestEndpointAction: edr.requestEndpointAction,
      readEndpointAction: edr.readEndpointAction,
      generateReport: reports.generateReport,
    },
    limitExecute: limits.limit('execute'),
    operatorChange,
    internalWorkflow,
    readThrough,
  })
  undo.defer(() => response.stop())

  const http = await buildApp({
    logger: log,
    tls: config.tls && {
      cert: readFileSync(config.tls.certFile, 'utf8'),
      key: readFileSync(config.tls.keyFile, 'utf8'),
    },
    guard: {
      sessions: identity.sessions,
      cookieName: cookie.name,
      recordAudit,
      limitGeneral: limits.limit('general'),
    },
    auth: {
      database,
      mode,
      recordAudit,
      adminPassword: config.adminPassword,
      tokens: identity.tokens,
      throttle: identity.throttle,
      revoke: identity.revoke,
      cookie,
    },
    users: {
      db,
      readThrough,
      async identityChange(request, reply, status, work) {
        const record = await operatorChange(request, reply, status, work)
        await notifications.caughtUp()
        return record
      },
    },
    audit: { db, readThrough },
    alerts: {
      db,
      readThrough,
      operatorChange,
      openCase: (change, fields) => openCase(alertsOfCases, change, fields),
      noteInCases,
    },
    cases: { db, readThrough, operatorChange, alerts: alertsOfCases, now: () => new Date() },
    ingest: siem.routes,
    search: search.routes,
    metrics: { registry: siem.registry },
    reports: { db, readThrough, operatorChange, sources: reports.sources },
    stats: { db, readThrough, now: () => new Date() },
    edr: edr.routes,
    iocs: iocs.routes,
    sites: sites.routes,
    detections: detections.routes,
    detectionContent: content.routes,
    playbooks: response.playbooks,
    soar: response.soar,
    approvals: response.approvals,
    events: {
      feed,
      sessions: identity.sessions,
      mode,
      isDatabaseAvailable: database.isAvailable,
      ...(engine.keepAliveMs ? { keepAliveMs: engine.keepAliveMs } : {}),
    },
    system: {
      mode,
      version: manifest.version,
      isDatabaseAvailable: database.isAvailable,
      machine: {
        deployment_mode: config.databaseUrl ? 'distributed' : 'standalone',
        hostname: hostname(),
        platform: `${process.platform}-${process.arch}`,
      },
      listSites: sites.listSites,
    },
  })
  undo.defer(() => closeHttp(http, 1_000))

  const running = undo.move()
  return {
    http,
    installStarterRules: content.installStarterRules,
    listenSyslog: siem.listenSyslog,
    makeFirstAdmin: (tell) =>
      database.onAvailable(async () => {
        const password = await createFirstAdmin(db, config.adminPassword)
        if (password) tell(password)
      }),
    stop: () => running.disposeAsync(),
  }
}

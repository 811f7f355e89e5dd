import path from 'node:path'
import { closeHttp, type Http } from '@manara/kit/http'
import { readSettingFile } from '@manara/kit/setting-file'
import { Registry } from 'prom-client'
import manifest from '../../package.json' with { type: 'json' }
import { createDiskRoom } from '../adapters/disk-room.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { findUnknown, hiddenCases } from '../core/access/reader.ts'
import { createAfterCommit } from '../core/change/after-commit.ts'
import { createOperatorChange } from '../core/change/operator-change.ts'
import { createIdentity } from '../core/identity/create-identity.ts'
import { createKeyUses } from '../core/identity/key-uses.ts'
import { networkOf } from '../core/identity/sign-in-places.ts'
import { openServiceKeys } from '../core/keys/service-keys.ts'
import { createMeter } from '../core/metrics/meter.ts'
import { modeOf } from '../core/mode/mode.ts'
import { createReads } from '../core/mode/read-through.ts'
import { createDatabase, type DatabaseOptions } from '../db/database.ts'
import { countEvents } from '../features/metrics/count-events.ts'
import { siteById } from '../features/sites/sites.store.ts'
import { createFilesInTurn, createTrialsInTurn } from '../http/in-turn.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import type { LogStore } from '../ports/log-store.ts'
import { showcase } from '../showcase/showcase.ts'
import { composeAgents, deployedAgents } from './agents.ts'
import type { Area, Platform } from './area.ts'
import { composeChat } from './chat.ts'
import { composeCps } from './cps.ts'
import { composeCpsInsight } from './cps-insight.ts'
import { composeDemonstration } from './demonstration.ts'
import { composeDetections } from './detections.ts'
import { composeEdr } from './edr.ts'
import { composeInvestigation } from './investigation.ts'
import { composeIocs } from './iocs.ts'
import { openLogs } from './logs.ts'
import { composeMetrics } from './metrics.ts'
import { composePeople } from './people.ts'
import { composeProofs } from './proofs.ts'
import { composeRecords } from './records.ts'
import { composeReports } from './reports.ts'
import { composeResponse } from './response.ts'
import { composeSearch } from './search.ts'
import { composeSiem } from './siem.ts'
import { composeSites } from './sites.ts'
import { composeSystem } from './system.ts'
import { composeTools } from './tools.ts'

export type Soc = {
  http: Http
  /** Resolves when the database was asked for once; it may be away, and come later. */
  start(): Promise<void>
  stop(): Promise<void>
} & Pick<ReturnType<typeof composePeople>, 'makeFirstAdmin'> &
  Pick<ReturnType<typeof composeDetections>, 'installStarterRules'> &
  Pick<ReturnType<typeof composeSiem>, 'listenSyslog' | 'warmUp'> &
  Pick<ReturnType<typeof composeCps>, 'listenDevices'> &
  Pick<ReturnType<typeof composeTools>, 'tools'>

/**
 * Hands each area what it needs of the others: everything but the embedded engine and the port,
 * which is what tests take apart and put together. Nothing runs before `start`.
 */
export async function composeSoc(
  config: Config,
  engine: DatabaseOptions & { logs?: LogStore; keepAliveMs?: number; leaseMs?: number },
): Promise<Soc> {
  const mode = modeOf(config.mode)
  const { log, connection, keepAliveMs, leaseMs } = engine
  const registry = new Registry()
  const meter = createMeter(registry)
  const database = createDatabase(engine)
  const db = database.kysely
  const afterCommit = createAfterCommit({ connection, database, log })
  const { notifications, recordAudit, feed, wake } = afterCommit
  const keys = openServiceKeys(config.keyFile ?? path.join(config.dataDir, 'service.key'))
  const proofs = composeProofs({
    ...{ config, db, log, isReady: database.isAvailable },
    seed: keys.signingSeed,
  })
  const identity = createIdentity({
    ...{ database, notifications, key: keys.sessions },
    mostSignIns: config.rates.general,
  })
  const { sessions } = identity
  const limits = createRateLimits({ rates: config.rates, database })
  // TLS may end in a proxy before us: then the address that browsers use says so.
  const cookie = sessionCookie(config.tls !== undefined || isHttps(config.publicUrl))
  const platform: Platform = {
    ...{ config, mode, log, database, db, notifications },
    sealing: keys.sealing,
    witness: proofs.witness,
    filesInTurn: createFilesInTurn(),
    previewsInTurn: createTrialsInTurn(),
    ...createReads({ database, mode, showcase }),
    ...createOperatorChange({
      ...{ database, mode, recordAudit, wake },
      onCommitted: countEvents(meter),
    }),
  }

  const keyUses = createKeyUses({ recordAudit, log })
  const people = composePeople(platform, {
    ...{ identity, recordAudit, cookie, keyUses },
    limitGeneral: limits.limit('general'),
  })
  const siem = composeSiem(platform, { meter, logs: engine.logs ?? openLogs(config, log) })
  const diskRoom = createDiskRoom(config.dataDir)
  const { logs } = siem
  const metrics = composeMetrics(platform, { registry, meter, logs, diskRoom })
  const records = composeRecords(platform, { logs })
  const { raiseAlert, openCase, linkAlert, readCase, updateCase, deleteCase, caseDetail } = records
  const sites = composeSites(platform, { logs, dependents: [deployedAgents] })
  const { listSites } = sites
  const live = { feed, sessions, ...(keepAliveMs ? { keepAliveMs } : {}) }
  const system = composeSystem(platform, {
    ...live,
    ...{ listSites, logs, diskRoom },
    isSignInReady: people.isSignInReady,
  })
  const holdSite = (tx: Platform['db'], id: string) => siteById(tx, id, 'against-removal')
  const edr = composeEdr(platform, { holdSite })
  const cpsInsight = composeCpsInsight(platform, { logs, raiseAlert, takeLogs: siem.takeLogs })
  const cps = composeCps(platform, {
    ...{ raiseAlert, meter, holdSite },
    firmwareOf: cpsInsight.firmwareOf,
  })
  const iocs = composeIocs(platform, { logs, raiseAlert })
  const reports = composeReports(platform, { caseDetail, eventsOf: records.eventsOf })
  const detections = composeDetections(platform, {
    ...{ logs, meter, raiseAlert, openCase, linkAlert },
    missingFields: (query) => search.missingFields(query),
    isFieldMissing: (name) => search.isFieldMissing(name),
    shareRules: siem.setRules,
  })
  const search = composeSearch(platform, {
    ...{ logs, diskRoom, live, raiseAlert, openCase },
    ...{ sourceRates: siem.sourceRates, counts: siem.eventCounts, onStored: siem.onStored },
    settleAlert: records.settleAlert,
    setParsers: siem.setParsers,
    ...detections.promotion,
    caseById: caseDetail,
  })
  const response = composeResponse(platform, {
    leaseMs,
    limitExecute: limits.limit('execute'),
    onDecided: (change, approval) => agents.onDecided(change, approval),
    functions: {
      ...{ readCase, openCase, updateCase, deleteCase },
      ...{ searchLogs: search.searchLogs, generateReport: reports.generateReport },
      findIndicator: iocs.findIndicator,
      blockIndicators: iocs.blockIndicators,
      unblockIndicators: iocs.unblockIndicators,
      requestEndpointAction: edr.requestEndpointAction,
      readEndpointAction: edr.readEndpointAction,
      refuseCollectors: edr.refuseCollectors,
      prevalenceOf: iocs.prevalenceOf,
    },
  })
  const investigation = composeInvestigation(platform, {
    ...{ logs, leaseMs, matchLogs: detections.matchLogs },
    devicesOf: cps.devicesOf,
    limitInvestigate: limits.limit('investigate'),
  })
  const agents = composeAgents(platform, {
    ...{ leaseMs, logs, records, edr, iocs },
    giveFeedback: detections.giveFeedback,
    backtest: detections.backtest,
    investigate: investigation.investigateAlert,
    prepareReport: reports.writeReport,
    playbooks: response.proposing,
    wakeExecutions: response.wakeExecutions,
    devicesOf: cps.devicesOf,
  })
  const tools = composeTools(platform, {
    ...{ recordAudit, version: manifest.version },
    ...{ openCase, updateCase, caseDetail, listCases: records.listCases },
    ...{ askLogs: search.askLogs, writeReport: reports.writeReport },
    coverage: detections.coverage,
    ...{ executeAgain: response.executeAgain, wakeExecutor: response.wakeExecutor },
    limitExecute: ({ id, username }) => limits.limitClient('execute', `user ${id ?? username}`),
    agentState: agents.stateOf,
    limitMcp: (address) => limits.limitClient('mcp', `address ${networkOf(address)}`),
  })
  const chat = composeChat(platform, {
    ...{ tools: tools.tools, sessions, keepAliveMs, findEndpoint: edr.findEndpoint },
    limitChat: limits.limit('chat'),
  })
  const demonstration = composeDemonstration(platform, {
    ...{ logs, deleteCase, noteInCases: records.noteInCases },
    takeLogs: siem.takeLogs,
    unseenSince: () => Math.min(detections.unseenSince(), iocs.unseenSince()),
    learnHosts: edr.learnHosts,
  })
  for (const { onStored } of [iocs, detections]) siem.onStored(onStored)
  for (const { sieve, onPicked } of [edr, search, cpsInsight]) siem.onPicked(sieve, onPicked)

  // In the order in which they start, and in which the description of the API shows them.
  const areas: Area[] = [
    ...[people, system, metrics, records, siem, search, reports],
    ...[edr, cps, cpsInsight, iocs, sites, response, agents, investigation, detections],
    ...[tools, chat, demonstration],
  ]
  const http = await buildApp({
    logger: log,
    version: manifest.version,
    tls: config.tls && {
      cert: readSettingFile('SOC_TLS_CERT', config.tls.certFile),
      key: readSettingFile('SOC_TLS_KEY', config.tls.keyFile),
    },
    guard: {
      sessions,
      cookieName: cookie.name,
      onKeyUsed: keyUses.note,
      recordAudit,
      limitGeneral: limits.limit('general'),
      limitProof: limits.limit('enrol'),
    },
    trustedProxies: config.trustedProxies,
    cases: {
      hiddenFrom: async (principal) =>
        database.isAvailable() ? hiddenCases(db, principal) : new Set(),
      findUnknown: async (ids) => (database.isAvailable() ? findUnknown(db, ids) : undefined),
    },
    meter,
    areas,
  })

  return {
    http,
    makeFirstAdmin: people.makeFirstAdmin,
    installStarterRules: detections.installStarterRules,
    ...{ listenSyslog: siem.listenSyslog, warmUp: siem.warmUp },
    listenDevices: cps.listenDevices,
    tools: tools.tools,
    async start() {
      await database.start()
      await afterCommit.start()
      proofs.start()
      for (const area of areas) await area.start?.()
    },
    async stop() {
      await closeHttp(http, 1_000)
      for (const area of areas.toReversed()) await area.stop?.()
      await proofs.stop()
      await afterCommit.stop()
      await database.close()
    },
  }
}

const isHttps = (url: string | undefined) =>
  url !== undefined && URL.parse(url)?.protocol === 'https:'

import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import { createHttp, type Http } from '@manara/kit/http'
import type { Logger } from '@manara/kit/logging'
import { describeApi } from '@manara/kit/openapi'
import { API } from './api-description.ts'
import { explainDatabaseFailure } from './db/connection-failure.ts'
import { type AlertDeps, alertRoutes } from './features/alerts/alerts.routes.ts'
import { type ApprovalDeps, approvalRoutes } from './features/approvals/approvals.routes.ts'
import { type AuditDeps, auditRoutes } from './features/audit/audit.routes.ts'
import { type AuthDeps, authRoutes } from './features/auth/auth.routes.ts'
import { type CaseDeps, caseRoutes } from './features/cases/cases/cases.routes.ts'
import { evidenceRoutes } from './features/cases/evidence/evidence.routes.ts'
import { casePartRoutes } from './features/cases/parts/parts.routes.ts'
import { type ContentDeps, contentRoutes } from './features/detections/content.routes.ts'
import { feedbackRoutes } from './features/detections/feedback/feedback.routes.ts'
import { type DetectionDeps, detectionRoutes } from './features/detections/rules/rules.routes.ts'
import { suppressionRoutes } from './features/detections/suppressions/suppressions.routes.ts'
import { type EdrDeps, edrRoutes } from './features/edr/edr.routes.ts'
import { type EventDeps, eventRoutes } from './features/events/events.routes.ts'
import { type IocDeps, iocRoutes } from './features/iocs/iocs.routes.ts'
import { type MetricsDeps, metricsRoute } from './features/metrics/metrics.routes.ts'
import {
  type ManageDeps,
  managePlaybookRoutes,
} from './features/playbooks/definitions/manage-playbooks.routes.ts'
import { type PlaybookDeps, playbookRoutes } from './features/playbooks/playbooks.routes.ts'
import { type ExecutionDeps, soarRoutes } from './features/playbooks/soar.routes.ts'
import {
  type ResponseRuleDeps,
  responseRuleRoutes,
} from './features/playbooks/soar-rules.routes.ts'
import { type ReportDeps, reportRoutes } from './features/reports/reports.routes.ts'
import { type HuntDeps, huntRoutes } from './features/siem/hunts/hunts.routes.ts'
import { elasticRoutes, tellElasticClients } from './features/siem/ingest/elastic/elastic.routes.ts'
import { hecRoutes } from './features/siem/ingest/hec/hec.routes.ts'
import { type IngestDeps, ingestRoutes } from './features/siem/ingest/native/ingest.routes.ts'
import { otlpRoutes } from './features/siem/ingest/otlp/otlp.routes.ts'
import type { StatsDeps as SiemStatsDeps } from './features/siem/read-stats.ts'
import { type SearchDeps, searchRoutes } from './features/siem/search/search.routes.ts'
import { siemStatsRoutes } from './features/siem/stats.routes.ts'
import { type SiteDeps, siteRoutes } from './features/sites/sites.routes.ts'
import { type StatsDeps, statsRoutes } from './features/stats/stats.routes.ts'
import { healthRoute, type SystemDeps, systemRoutes } from './features/system/system.routes.ts'
import { apiKeyRoutes } from './features/users/api-keys.routes.ts'
import { type UserDeps, userRoutes } from './features/users/users.routes.ts'
import { serveConsole } from './http/console.ts'
import { type GuardDeps, guardRoutes } from './http/guard.ts'

export type AppDeps = {
  logger?: Logger
  tls?: { key: string; cert: string } | undefined
  guard: GuardDeps
  system: SystemDeps
  auth: AuthDeps
  users: UserDeps
  audit: AuditDeps
  events: EventDeps
  alerts: AlertDeps
  cases: CaseDeps
  ingest: IngestDeps & SiemStatsDeps
  search: SearchDeps & HuntDeps
  metrics: MetricsDeps
  reports: ReportDeps
  stats: StatsDeps
  edr: EdrDeps
  iocs: IocDeps
  sites: SiteDeps
  detections: DetectionDeps
  detectionContent: ContentDeps
  playbooks: PlaybookDeps
  soar: ExecutionDeps & ManageDeps & ResponseRuleDeps
  approvals: ApprovalDeps
}

export async function buildApp(deps: AppDeps): Promise<Http> {
  const http = createHttp({
    envelope: (detail) => ({ detail }),
    bodyLimit: 1024 * 1024,
    translate: explainDatabaseFailure,
    ...(deps.logger ? { logger: deps.logger } : {}),
    tls: deps.tls,
  })
  await http.register(cookie)
  await http.register(formbody)
  guardRoutes(http, deps.guard)
  await describeApi(http, { ...API, version: deps.system.version })
  tellElasticClients(http)
  await serveConsole(http)
  healthRoute(http, deps.system)
  metricsRoute(http, deps.metrics)
  hecRoutes(http, deps.ingest)
  elasticRoutes(http, deps.ingest)
  otlpRoutes(http, deps.ingest)
  await http.register(
    async (plugin) => {
      const api = plugin as unknown as Http
      authRoutes(api, deps.auth)
      userRoutes(api, deps.users)
      apiKeyRoutes(api, deps.users)
      systemRoutes(api, deps.system)
      auditRoutes(api, deps.audit)
      eventRoutes(api, deps.events)
      alertRoutes(api, deps.alerts)
      caseRoutes(api, deps.cases)
      casePartRoutes(api, deps.cases)
      evidenceRoutes(api, deps.cases)
      ingestRoutes(api, deps.ingest)
      siemStatsRoutes(api, deps.ingest)
      searchRoutes(api, deps.search)
      huntRoutes(api, deps.search)
      reportRoutes(api, deps.reports)
      statsRoutes(api, deps.stats)
      edrRoutes(api, deps.edr)
      iocRoutes(api, deps.iocs)
      siteRoutes(api, deps.sites)
      playbookRoutes(api, deps.playbooks)
      soarRoutes(api, deps.soar)
      managePlaybookRoutes(api, deps.soar)
      responseRuleRoutes(api, deps.soar)
      approvalRoutes(api, deps.approvals)
      contentRoutes(api, deps.detectionContent)
      detectionRoutes(api, deps.detections)
      suppressionRoutes(api, deps.detections)
      feedbackRoutes(api, deps.detections)
    },
    { prefix: '/api/v1' },
  )
  return http
}

import type { AgentTables } from './tables/agents.ts'
import type { AlertTables } from './tables/alerts.ts'
import type { ArrivalTables } from './tables/arrivals.ts'
import type { AuditTables } from './tables/audit.ts'
import type { CaseTables } from './tables/cases.ts'
import type { CorrelationTables } from './tables/correlations.ts'
import type { CpsTables } from './tables/cps.ts'
import type { DemonstrationTables } from './tables/demonstration.ts'
import type { DetectionTables } from './tables/detections.ts'
import type { DiscoveryTables } from './tables/discovery.ts'
import type { EdrTables } from './tables/edr.ts'
import type { FirmwareTables } from './tables/firmware.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { InvestigationTables } from './tables/investigations.ts'
import type { IocTables } from './tables/iocs.ts'
import type { LiveTables } from './tables/live.ts'
import type { LogSourceTables } from './tables/log-sources.ts'
import type { ReportTables } from './tables/reports.ts'
import type { ResponseTables } from './tables/response.ts'
import type { SecretTables } from './tables/secrets.ts'
import type { SiemTables } from './tables/siem.ts'
import type { SiteTables } from './tables/sites.ts'

/** One type a table, spelled as in the migrations; wire fields keep the same names. */
export type Tables = IdentityTables &
  AuditTables &
  LiveTables &
  AgentTables &
  AlertTables &
  ArrivalTables &
  ReportTables &
  CaseTables &
  CpsTables &
  CorrelationTables &
  DiscoveryTables &
  EdrTables &
  FirmwareTables &
  IocTables &
  DemonstrationTables &
  DetectionTables &
  SecretTables &
  SiemTables &
  LogSourceTables &
  SiteTables &
  InvestigationTables &
  ResponseTables

import { z } from 'zod'
import { AlertStatus } from './alerts.ts'
import { CaseStatus } from './cases.ts'
import { eachOf } from './each-of.ts'
import { Severity } from './severity.ts'
import { Timezone } from './timezone.ts'

const count = z.int().nonnegative()

const Activity = z.object({
  created: count,
  acknowledged: count,
  resolved: count,
})

/** Seconds from an alert's creation to its first look and to its settlement; null when none was. */
const Times = z.object({
  mtta_seconds: z.number().nullable(),
  mttr_seconds: z.number().nullable(),
})

const TrendPoint = Activity.extend({ from: z.string() })

const AlertNumbers = z.object({
  total: count,
  /** Neither resolved, closed nor suppressed. */
  open: count,
  by_severity: eachOf(Severity, count),
  by_status: eachOf(AlertStatus, count),
  by_source: z.array(z.object({ source: z.string(), count })),
})
export type AlertNumbers = z.infer<typeof AlertNumbers>

const CaseNumbers = z.object({
  total: count,
  /** Neither resolved nor closed. */
  open: count,
  by_severity: eachOf(Severity, count),
  by_status: eachOf(CaseStatus, count),
})
export type CaseNumbers = z.infer<typeof CaseNumbers>

const WorkNumbers = z.object({
  pending_approvals: count,
  running_executions: count,
  enabled_rules: count,
  endpoints: count,
  isolated_endpoints: count,
})
export type WorkNumbers = z.infer<typeof WorkNumbers>

const Period = Times.extend({
  totals: Activity,
  times_by_severity: eachOf(Severity, Times),
  trend: z.array(TrendPoint),
})
export type Period = z.infer<typeof Period>

export const StatsOverviewQuery = z.strictObject({
  timezone: Timezone.default('UTC').describe('Whose days are counted'),
})

/** The last thirty days, by day. */
export const StatsOverview = Period.extend({
  generated_at: z.string(),
  days: z.literal(30),
  alerts: AlertNumbers,
  cases: CaseNumbers,
  work: WorkNumbers,
})
export type StatsOverview = z.infer<typeof StatsOverview>

/** What a dashboard shows at the top: the last day by the hour, and what waits for somebody. */
export const DashboardStats = Times.extend({
  generated_at: z.string(),
  total_alerts: count,
  open_alerts: count,
  new_alerts: count,
  critical_alerts: count.describe('Open ones'),
  alerts_24h: count,
  open_cases: count,
  pending_approvals: count,
  running_executions: count,
  enabled_rules: count,
  endpoints: count,
  isolated_endpoints: count,
  alerts_by_severity: eachOf(Severity, count).describe('Open ones'),
  top_sources: z.array(z.object({ source: z.string(), count })),
  trend: z.array(TrendPoint),
})
export type DashboardStats = z.infer<typeof DashboardStats>

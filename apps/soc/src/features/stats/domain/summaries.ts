import type {
  CaseNumbers,
  DashboardStats,
  Period,
  StatsOverview,
  WorkNumbers,
} from '@manara/soc-contract/stats'
import type { AlertCounts } from './numbers.ts'
import type { Span } from './period.ts'

export const overviewSpan = (timezone: string): Span => ({ step: 'day', steps: 30, timezone })
export const DASHBOARD_SPAN: Span = { step: 'hour', steps: 24 }

export type Numbers = {
  alerts: AlertCounts
  cases: CaseNumbers
  work: WorkNumbers
  activity: Period
}

export function overview(now: Date, { alerts, cases, work, activity }: Numbers): StatsOverview {
  const { openBySeverity: _, ...numbers } = alerts
  return { generated_at: now.toISOString(), days: 30, alerts: numbers, cases, work, ...activity }
}

export function dashboard(now: Date, { alerts, cases, work, activity }: Numbers): DashboardStats {
  return {
    generated_at: now.toISOString(),
    total_alerts: alerts.total,
    open_alerts: alerts.open,
    new_alerts: alerts.by_status.new,
    critical_alerts: alerts.openBySeverity.critical,
    alerts_24h: activity.totals.created,
    open_cases: cases.open,
    ...work,
    alerts_by_severity: alerts.openBySeverity,
    top_sources: alerts.by_source,
    mtta_seconds: activity.mtta_seconds,
    mttr_seconds: activity.mttr_seconds,
    trend: activity.trend,
  }
}

import type { DashboardStats, StatsOverview } from '@manara/soc-contract/stats'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Span } from './domain/period.ts'
import {
  DASHBOARD_SPAN,
  dashboard,
  type Numbers,
  overview,
  overviewSpan,
} from './domain/summaries.ts'
import { countAlerts, countCases, countWork, readActivity } from './stats.store.ts'

type Db = Kysely<Tables>

export async function readOverview(db: Db, now: Date, timezone = 'UTC'): Promise<StatsOverview> {
  return overview(now, await readNumbers(db, now, overviewSpan(timezone)))
}

export async function readDashboard(db: Db, now: Date): Promise<DashboardStats> {
  return dashboard(now, await readNumbers(db, now, DASHBOARD_SPAN))
}

async function readNumbers(db: Db, now: Date, span: Span): Promise<Numbers> {
  const [alerts, cases, work, activity] = await Promise.all([
    countAlerts(db),
    countCases(db),
    countWork(db),
    readActivity(db, now, span),
  ])
  return { alerts, cases, work, activity }
}

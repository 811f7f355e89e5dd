import type { Http } from '@manara/kit/http'
import { DashboardStats, StatsOverview, StatsOverviewQuery } from '@manara/soc-contract/stats'
import type { Kysely } from 'kysely'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { requires } from '../../http/permissions.ts'
import { DASHBOARD_SPAN, dashboard, overview, overviewSpan } from './domain/summaries.ts'
import { readDashboard, readOverview } from './read-stats.ts'
import { showcaseNow, showNumbers } from './show-stats.ts'

export type StatsDeps = { db: Kysely<Tables>; now(): Date } & Reads

const tags = ['stats']

export function statsRoutes(http: Http, { db, now, readThrough }: StatsDeps) {
  http.get(
    '/stats/overview',
    {
      ...requires('stats:read'),
      schema: {
        tags,
        summary: 'Thirty days: counts, daily trend, time to acknowledge and to resolve',
        querystring: StatsOverviewQuery,
        response: { 200: StatsOverview },
      },
    },
    ({ query: { timezone } }) =>
      readThrough(
        () => readOverview(db, now(), timezone),
        (shown) => overview(showcaseNow(shown), showNumbers(shown, overviewSpan(timezone))),
      ),
  )

  http.get(
    '/dashboard/stats',
    {
      ...requires('stats:read'),
      schema: {
        tags,
        summary: 'What a dashboard shows at the top: the last 24 hours and what waits',
        response: { 200: DashboardStats },
      },
    },
    () =>
      readThrough(
        () => readDashboard(db, now()),
        (shown) => dashboard(showcaseNow(shown), showNumbers(shown, DASHBOARD_SPAN)),
      ),
  )
}

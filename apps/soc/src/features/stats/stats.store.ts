import type { CaseNumbers, Period, WorkNumbers } from '@manara/soc-contract/stats'
import { type Kysely, sql } from 'kysely'
import { areReadable, isReadable } from '../../core/access/reader.ts'
import type { Tables } from '../../db/tables.ts'
import { type AlertCounts, alertNumbers, caseNumbers } from './domain/numbers.ts'
import { period, type Span, spanStarts } from './domain/period.ts'

type Db = Kysely<Tables>

/** From the counters that change with the alerts (migration 111): a million cost what ten cost. */
export async function countAlerts(db: Db): Promise<AlertCounts> {
  const rows = await db
    .selectFrom('alert_counts')
    .select(['severity', 'status', 'source'])
    .select(sql<string>`sum(amount)`.as('amount'))
    .groupBy(['severity', 'status', 'source'])
    .having(sql<boolean>`sum(amount) > 0`)
    .execute()
  return alertNumbers(rows.map((row) => ({ ...row, count: Number(row.amount) })))
}

/** Those that the list of cases shows: neither deleted nor merged into another. */
export async function countCases(db: Db): Promise<CaseNumbers> {
  const rows = await db
    .selectFrom('cases')
    .select(['severity', 'status'])
    .select((eb) => eb.fn.countAll<string>().as('amount'))
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
    .where(isReadable('id'))
    .groupBy(['severity', 'status'])
    .execute()
  return caseNumbers(rows.map((row) => ({ ...row, count: Number(row.amount) })))
}

/** Added up where it is: thirty days have thousands of hours and severities. */
export async function readActivity(db: Db, now: Date, span: Span): Promise<Period> {
  const starts = spanStarts(now, span)
  const moments = sql`${starts.map((start) => new Date(start).toISOString())}::timestamptz[]`
  const rows = await db
    .selectFrom('alert_activity')
    .select(['severity', sql<number>`width_bucket(hour, ${moments})`.as('part')])
    .select((eb) => [
      eb.fn.sum<string>('created').as('created'),
      eb.fn.sum<string>('acknowledged').as('acknowledged'),
      eb.fn.sum<string>('acknowledged_ms').as('acknowledged_ms'),
      eb.fn.sum<string>('resolved').as('resolved'),
      eb.fn.sum<string>('resolved_ms').as('resolved_ms'),
    ])
    .where('hour', '>=', new Date(starts[0] ?? now))
    .groupBy(['part', 'severity'])
    .execute()
  return period(
    rows.map((row) => ({
      from: starts[row.part - 1] ?? now.getTime(),
      severity: row.severity,
      created: Number(row.created),
      acknowledged: Number(row.acknowledged),
      acknowledged_ms: Number(row.acknowledged_ms),
      resolved: Number(row.resolved),
      resolved_ms: Number(row.resolved_ms),
    })),
    starts,
  )
}

/** What waits for somebody and what stands ready, in one query. */
export async function countWork(db: Db): Promise<WorkNumbers> {
  const { rows } = await sql<Record<keyof WorkNumbers, string>>`SELECT
    (SELECT count(*) FROM approvals WHERE status = 'pending' AND expires_at > now()
      AND ${isReadable('case_id')} AND ${areReadable('cases_named')})
      AS pending_approvals,
    (SELECT count(*) FROM executions WHERE status = 'running'
      AND ${isReadable('case_id')} AND ${areReadable('cases_named')})
      AS running_executions,
    (SELECT count(*) FROM detection_rules WHERE enabled) AS enabled_rules,
    (SELECT count(*) FROM edr_endpoints) AS endpoints,
    (SELECT count(*) FROM edr_endpoints WHERE isolation = 'isolated') AS isolated_endpoints
  `.execute(db)
  const [row] = rows
  return {
    pending_approvals: Number(row?.pending_approvals),
    running_executions: Number(row?.running_executions),
    enabled_rules: Number(row?.enabled_rules),
    endpoints: Number(row?.endpoints),
    isolated_endpoints: Number(row?.isolated_endpoints),
  }
}

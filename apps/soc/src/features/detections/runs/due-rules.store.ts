import type { DetectionRule } from '@manara/soc-contract/detections'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { RULE_COLUMNS, toRule } from '../rules/rule-record.ts'

type Db = Kysely<Tables>

/** A rule (without its Sigma source) that this process evaluates now, and nobody else while the lease lasts. */
export type DueRule = {
  rule: DetectionRule
  due: number
  coveredUntil: number
  failures: number
}

// Not the text of Sigma rules, which no run reads.
const COLUMNS = RULE_COLUMNS.filter((name) => name !== 'sigma_source')

type Lease = { token: string; now: number; until: number }

/**
 * Processes that look at the same time take different rules. One that dies keeps its rules until
 * the lease is over; nothing of what they should have covered is lost, since only a good run moves
 * covered_until.
 */
export async function claimDueRules(db: Db, lease: Lease, limit: number): Promise<DueRule[]> {
  const now = new Date(lease.now)
  const rows = await db
    .updateTable('detection_rules')
    .set({ lease_token: lease.token, lease_until: new Date(lease.until) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('detection_rules')
        .select('id')
        .where('enabled', '=', true)
        .where('schedule_enabled', '=', true)
        .where('next_run_at', '<=', now)
        .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<=', now)]))
        .orderBy('next_run_at')
        .limit(limit)
        // Their hits refer to them, which is no reason to pass them over.
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .returning([...COLUMNS, 'covered_until', 'failures'])
    .execute()
  return rows.map(({ covered_until, failures, ...row }) => {
    const due = row.next_run_at?.getTime() ?? lease.now
    const rule = toRule({ ...row, sigma_source: null })
    return { rule, due, coveredUntil: covered_until?.getTime() ?? due, failures }
  })
}

export async function renewLease(db: Db, token: string, until: number) {
  await db
    .updateTable('detection_rules')
    .set({ lease_until: new Date(until) })
    .where('lease_token', '=', token)
    .execute()
}

export type Outcome = {
  rule: DetectionRule
  startedAt: number
  nextRunAt: number
  /** Undefined after a failure: the next run covers this one's window too. */
  coveredUntil: number | undefined
  failures: number
}

/**
 * Gives the rules back; resolves to the ids of those that were still ours. A rule that was changed
 * meanwhile keeps the schedule its change gave it.
 */
export async function releaseRules(
  tx: Db,
  token: string,
  outcomes: Outcome[],
): Promise<Set<string>> {
  const column = <T>(pick: (outcome: Outcome) => T) => outcomes.map(pick)
  const { rows } = await sql<{ id: string }>`
    UPDATE detection_rules AS rule SET
      lease_token = NULL, lease_until = NULL,
      last_run_at = run.started_at, failures = run.failures,
      next_run_at = CASE WHEN rule.version = run.version THEN run.next_run_at
        ELSE rule.next_run_at END,
      covered_until = CASE WHEN rule.version = run.version
        THEN coalesce(run.covered_until, rule.covered_until) ELSE rule.covered_until END
    FROM unnest(
      ${column(({ rule }) => rule.id)}::uuid[],
      ${column(({ rule }) => rule.version)}::integer[],
      ${column(({ startedAt }) => new Date(startedAt))}::timestamptz[],
      ${column(({ nextRunAt }) => new Date(nextRunAt))}::timestamptz[],
      ${column(({ coveredUntil }) => (coveredUntil === undefined ? null : new Date(coveredUntil)))}::timestamptz[],
      ${column(({ failures }) => failures)}::integer[]
    ) AS run (id, version, started_at, next_run_at, covered_until, failures)
    WHERE rule.id = run.id AND rule.lease_token = ${token}
    RETURNING rule.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'

type AlertAmount = { severity: string; status: string; amount: number }

/** What the records say about work: counted over partial indexes, cheap to ask often. */
export type WorkLevels = {
  alerts: AlertAmount[]
  rules: {
    on: number
    off: number
    without_data: number
    failing: number
    due: number
    lag_s: number
  }
  queues: Record<string, number>
}

/** One statement. Alerts come from the counters that change with them (migration 111). */
export async function readWorkLevels(db: Kysely<Tables>): Promise<WorkLevels> {
  const { rows } = await sql<{ levels: WorkLevels }>`SELECT json_build_object(
    'alerts', (SELECT coalesce(json_agg(counted), '[]') FROM (
      SELECT severity, status, sum(amount) AS amount FROM alert_counts
      GROUP BY severity, status HAVING sum(amount) > 0) AS counted),
    'rules', (SELECT json_build_object(
      'on', count(*) FILTER (WHERE enabled),
      'off', count(*) FILTER (WHERE NOT enabled),
      'without_data', count(*) FILTER (WHERE enabled AND source_key IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM detection_sources AS seen
          WHERE seen.source_key = detection_rules.source_key)),
      'failing', count(*) FILTER (WHERE enabled AND failures > 0),
      'due', count(*) FILTER (WHERE ${IS_DUE}),
      'lag_s', coalesce(extract(epoch FROM now() - min(next_run_at) FILTER (WHERE ${IS_DUE})), 0))
      FROM detection_rules),
    'queues', json_build_object(
      'agent_jobs', (SELECT count(*) FROM agent_jobs WHERE status = 'pending'),
      'agent_jobs_running', (SELECT count(*) FROM agent_jobs WHERE status = 'running'),
      'investigations', (SELECT count(*) FROM investigations WHERE status = 'running'),
      'proposals', (SELECT count(*) FROM proposals WHERE status = 'open'),
      'approvals', (SELECT count(*) FROM approvals WHERE status = 'pending' AND expires_at > now()),
      'executions', (SELECT count(*) FROM executions
        WHERE status IN ('pending', 'pending_approval', 'running') OR rollback = 'pending'),
      'endpoint_actions', (SELECT count(*) FROM edr_actions WHERE status IN ('queued', 'sent')),
      'events_to_number', (SELECT count(*) FROM outbox WHERE seq IS NULL),
      'audit_to_seal', (SELECT count(*) FROM audit_log WHERE seq IS NULL)
    )) AS levels`.execute(db)
  return (rows[0] as { levels: WorkLevels }).levels
}

const IS_DUE = sql`enabled AND schedule_enabled AND next_run_at <= now()`

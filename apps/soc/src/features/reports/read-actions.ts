import { type Kysely, type RawBuilder, sql } from 'kysely'
import { areReadable, hiding, isReadable, privateBeside } from '../../core/access/reader.ts'
import type { Tables } from '../../db/tables.ts'
import { MOST, type ResponseAction } from './domain/material.ts'

type Db = Kysely<Tables>

/** For the case itself, those merged into it, or one of its alerts, as far as its readers may know. */
export async function actionsOfCase(
  db: Db,
  caseId: string,
  merged: string[],
): Promise<ResponseAction[]> {
  const concerned = sql<boolean>`(case_id = ANY(${[caseId, ...merged]}::uuid[])
    OR alert_id IN (SELECT id FROM alerts WHERE alerts.case_id = ${caseId}))`
  // Orders name no case: those to the hosts of its alerts, since the first of them was seen. That is
  // by the clock of the host, which may be ahead.
  const ordered = sql<boolean>`EXISTS (SELECT FROM alerts WHERE alerts.case_id = ${caseId}
    AND lower(alerts.host) = lower(endpoint.hostname)
    AND ordered.created_at >= least(alerts.first_seen_at, alerts.created_at))`
  const hidden = new Set(await privateBeside(db, caseId))
  // Who reads the case reads what belongs to those merged into it.
  for (const id of merged) hidden.delete(id)
  return hiding(hidden, () => readActions(db, concerned, ordered))
}

export function actionsSince(db: Db, from: Date): Promise<ResponseAction[]> {
  return readActions(db, sql`created_at >= ${from}`, sql`ordered.created_at >= ${from}`)
}

/** Playbooks with the fate of their steps, approvals with who decided, orders; oldest first. */
async function readActions(
  db: Db,
  concerned: RawBuilder<boolean>,
  ordered: RawBuilder<boolean>,
): Promise<ResponseAction[]> {
  const told = sql`${concerned} AND ${isReadable('case_id')} AND ${areReadable('cases_named')}`
  const { rows } = await sql<Omit<ResponseAction, 'at'> & { at: Date }>`
    SELECT * FROM (
      SELECT coalesce(started_at, created_at) AS at,
        'playbook ' || playbook_name || CASE WHEN dry_run THEN ' (simulated)' ELSE '' END
          || coalesce(': ' || (SELECT string_agg(step.id || ' ' || step.status, ', '
              ORDER BY step.position) FROM execution_steps AS step
              WHERE step.execution_id = executions.id), '') AS what,
        requested_by AS by, status
      FROM executions WHERE ${told}
      UNION ALL
      SELECT coalesce(decided_at, created_at), 'approval of ' || action
          || ', asked for by ' || requested_by || coalesce(': ' || reason, ''),
        coalesce(decided_by, 'nobody yet'), status
      FROM approvals WHERE ${told}
      UNION ALL
      SELECT ordered.created_at, ordered.command || ' ' || endpoint.hostname
          || CASE WHEN ordered.simulated THEN ' (simulated)' ELSE '' END,
        ordered.requested_by, ordered.status
      FROM edr_actions AS ordered
        JOIN edr_endpoints AS endpoint ON endpoint.id = ordered.endpoint_id
      WHERE ${ordered}
    ) AS actions ORDER BY at DESC LIMIT ${MOST.actions + 1}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() })).reverse()
}

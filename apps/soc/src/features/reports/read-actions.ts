import { type Kysely, type RawBuilder, sql } from 'kysely'
import { areReadable, hiding, isReadable, privateBeside } from '../../core/access/reader.ts'
import type { Tables } from '../../db/tables.ts'
import type { ResponseAction } from './domain/material.ts'

type Db = Kysely<Tables>

const MOST = 500

/** What was done for the case itself or for one of its alerts, as far as all its readers may know. */
export async function actionsOfCase(db: Db, caseId: string): Promise<ResponseAction[]> {
  const concerned = sql<boolean>`(case_id = ${caseId}
    OR alert_id IN (SELECT id FROM alerts WHERE alerts.case_id = ${caseId}))`
  return hiding(await privateBeside(db, caseId), () => readActions(db, concerned))
}

export function actionsSince(db: Db, from: Date): Promise<ResponseAction[]> {
  return readActions(db, sql`created_at >= ${from}`)
}

/** Playbooks with the fate of their steps, and approvals with who decided, oldest first. */
async function readActions(db: Db, concerned: RawBuilder<boolean>): Promise<ResponseAction[]> {
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
    ) AS actions ORDER BY at DESC LIMIT ${MOST}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() })).reverse()
}

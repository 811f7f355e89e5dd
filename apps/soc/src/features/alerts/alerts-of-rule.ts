import { type Kysely, sql } from 'kysely'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'

/** What detections ask of alerts, within the transaction in which they raise theirs. */

/**
 * The indicators of the rule's newest such alert that is not over; they are part of its hash. Spelled
 * as the index alerts_open_of_rule, and sorted apart: else the planner walks all alerts by time.
 */
export async function openAlertOf(
  tx: Kysely<Tables>,
  ruleId: string,
  same: { title: string; source: string; host: string | null },
): Promise<string[] | undefined> {
  const { rows } = await sql<{ iocs: string[] }>`
    WITH open AS MATERIALIZED (
      SELECT iocs, created_at, id FROM alerts
      WHERE rule_id = ${ruleId} AND md5(title) = md5(${same.title}) AND source = ${same.source}
        AND host IS NOT DISTINCT FROM ${same.host}
        AND status NOT IN ('resolved', 'closed', 'suppressed')
    )
    SELECT iocs FROM open ORDER BY created_at DESC, id DESC LIMIT 1`.execute(tx)
  return rows[0]?.iocs
}

/** The newest case with an alert of that rule and host that is not over. */
export async function openCaseOf(
  tx: Kysely<Tables>,
  ruleId: string,
  host: string | null,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('alerts')
    .innerJoin('cases', 'cases.id', 'alerts.case_id')
    .select('cases.id')
    .where('alerts.rule_id', '=', ruleId)
    .where('alerts.host', 'is not distinct from', host)
    .where('cases.status', 'not in', ['resolved', 'closed'])
    .where(sql<boolean>`cases.deleted_at IS NULL AND cases.merged_into IS NULL`)
    .orderBy('cases.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** The id of the event the alert was raised for. */
export async function eventOfAlert(
  db: Kysely<Tables>,
  alertId: string,
): Promise<string | undefined> {
  if (!isRecordId(alertId)) return undefined
  const row = await db
    .selectFrom('alerts')
    .select('source_ref')
    .where('id', '=', alertId)
    .executeTakeFirst()
  return row?.source_ref ?? undefined
}

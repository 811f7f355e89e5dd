import { sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { logIdsOf } from '../../core/demonstration/log-ids.ts'
import { isInvented } from '../../core/demonstration/marks.ts'
import { HOSTS, type Load } from './story.ts'

export type Removed = { alerts: number; cases: number; others: number }

export type CaseChanges = {
  deleteCase(change: ChangeContext, caseId: string): Promise<unknown>
  noteInCases(change: ChangeContext, notes: { caseId: string; action: string }[]): Promise<unknown>
}

/**
 * All that came of the invented events. A case goes when nothing real was linked to it and no person
 * had a part in it; its ledger stays, as that of every deleted case. Other cases lose the alerts. One
 * transaction: all of it, or none.
 */
export async function removeRecords(
  change: ChangeContext,
  { id: loadId, begun_at: since }: Load,
  { deleteCase, noteInCases }: CaseChanges,
): Promise<Removed> {
  const { tx } = change
  const alerts = await tx
    .selectFrom('alerts')
    .select(['id', 'case_id'])
    .where(isInvented)
    .forUpdate()
    .execute()
  const alertIds = alerts.map(({ id }) => id)
  const linked = [...new Set(alerts.flatMap((one) => one.case_id ?? []))]
  const caseIds = await untouched(change, linked)
  const kept = alerts.filter(({ case_id }) => case_id !== null && !caseIds.includes(case_id))
  await noteInCases(
    change,
    kept.map(({ id, case_id }) => ({
      caseId: case_id as string,
      action: `alert ${id} removed with the demonstration`,
    })),
  )
  for (const id of caseIds) await deleteCase(change, id)

  const ids = [...alertIds, ...caseIds]
  const logIds = `${logIdsOf(loadId)}%`
  let others = 0
  const drop = async (statement: ReturnType<typeof sql>) => {
    const { numAffectedRows } = await statement.execute(tx)
    others += Number(numAffectedRows ?? 0n)
  }
  await drop(sql`DELETE FROM approvals WHERE alert_id = ANY(${alertIds}::uuid[]) OR id IN (
    SELECT approval_id FROM executions WHERE alert_id = ANY(${alertIds}::uuid[])
      OR case_id = ANY(${caseIds}::uuid[])
    UNION SELECT approval_id FROM proposals WHERE cites->'alert_ids' ?| ${ids}::text[]
      OR cites->'case_ids' ?| ${ids}::text[])`)
  await drop(sql`DELETE FROM executions WHERE alert_id = ANY(${alertIds}::uuid[])
    OR case_id = ANY(${caseIds}::uuid[])`)
  const { rows: proposals } = await sql<{ id: string }>`DELETE FROM proposals
    WHERE cites->'alert_ids' ?| ${ids}::text[] OR cites->'case_ids' ?| ${ids}::text[]
    RETURNING id`.execute(tx)
  others += proposals.length
  await drop(sql`DELETE FROM agent_findings WHERE alert_id = ANY(${alertIds}::uuid[])
    OR case_id = ANY(${caseIds}::uuid[])
    OR (created_at >= ${since} AND lower(host) = ANY(${HOSTS}::text[]))`)
  const named = [...ids, ...proposals.map(({ id }) => id)].map((id) => `%${id}%`)
  await drop(sql`DELETE FROM agent_jobs WHERE key LIKE ANY(${named}::text[])
    OR input::text LIKE ANY(${named}::text[])`)
  await drop(sql`DELETE FROM agent_runs WHERE key LIKE ANY(${named}::text[])`)
  await drop(sql`DELETE FROM investigations WHERE request::text LIKE ANY(${named}::text[])
    OR (created_at >= ${since} AND request::text LIKE ANY(${HOSTS.map((host) => `%${host}%`)}::text[]))`)
  await drop(sql`DELETE FROM reports WHERE case_id = ANY(${caseIds}::uuid[])`)
  await drop(sql`DELETE FROM detection_feedback WHERE alert_id = ANY(${ids}::text[])
    OR siem_log_id LIKE ${logIds}`)
  await drop(sql`WITH gone AS (
      DELETE FROM detection_hits WHERE log_id LIKE ${logIds} OR alert_id = ANY(${alertIds}::uuid[])
      RETURNING counted_run, is_held
    ), counted AS (
      SELECT counted_run, count(*) FILTER (WHERE NOT is_held)::int AS matches,
        count(*) FILTER (WHERE is_held)::int AS suppressed FROM gone GROUP BY counted_run
    ), uncounted AS (
      UPDATE detection_runs AS run SET match_count = greatest(0, match_count - matches),
        suppressed_count = greatest(0, suppressed_count - suppressed)
      FROM counted WHERE run.id = counted.counted_run
    )
    SELECT FROM gone`)
  await drop(sql`DELETE FROM detection_terms WHERE log_id LIKE ${logIds}`)
  await drop(sql`WITH gone AS (DELETE FROM ioc_sightings WHERE log_id LIKE ${logIds} RETURNING ioc_id, seen_at)
    UPDATE iocs SET sightings = greatest(0, sightings - counted.amount),
      first_sighted_at = CASE WHEN first_sighted_at < first_at THEN first_sighted_at ELSE kept_first END,
      last_sighted_at = CASE WHEN last_sighted_at > last_at THEN last_sighted_at ELSE kept_last END
    FROM (SELECT ioc_id, count(*)::int AS amount, min(seen_at) AS first_at, max(seen_at) AS last_at
      FROM gone GROUP BY ioc_id) counted
    CROSS JOIN LATERAL (SELECT min(seen_at) AS kept_first, max(seen_at) AS kept_last
      FROM ioc_sightings AS kept WHERE kept.ioc_id = counted.ioc_id
        AND kept.log_id NOT LIKE ${logIds}) AS left_over
    WHERE iocs.id = counted.ioc_id`)
  const learnt = sql`SELECT id FROM edr_endpoints
    WHERE external_id IS NULL AND lower(hostname) = ANY(${HOSTS}::text[])`
  await drop(sql`DELETE FROM edr_actions WHERE endpoint_id IN (${learnt})`)
  await drop(sql`DELETE FROM edr_endpoints WHERE id IN (${learnt})`)
  await drop(sql`DELETE FROM alerts WHERE id = ANY(${alertIds}::uuid[])`)
  return { alerts: alertIds.length, cases: caseIds.length, others: others - alertIds.length }
}

/**
 * Of these cases, those that nothing real was linked to and that nobody has made, merged or worked
 * in: what the service, a rule or an agent did by itself is nobody's.
 */
async function untouched({ tx }: ChangeContext, caseIds: string[]): Promise<string[]> {
  if (caseIds.length === 0) return []
  const rows = await tx
    .selectFrom('cases')
    .select('id')
    .where('id', '=', sql<string>`ANY(${caseIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM alerts
        WHERE alerts.case_id = cases.id AND NOT ${isInvented})`,
    )
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM audit_log WHERE target = 'case:' || cases.id
        AND outcome = 'done' AND actor_kind IN ('user', 'api_key'))`,
    )
    .execute()
  return rows.map(({ id }) => id)
}

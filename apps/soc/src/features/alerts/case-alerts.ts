import { conflict, invalid } from '@manara/kit/errors'
import type { Alert, AlertStatus } from '@manara/soc-contract/alerts'
import { type Kysely, sql } from 'kysely'
import { nameOf } from '../../core/access/reader.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { ALERT_COLUMNS, toAlert } from './alert-record.ts'
import { linkedStatus } from './domain/linked-status.ts'
import { handledBy } from './handled-by.ts'

/** What the cases feature asks of alerts, each within the transaction of the case's own change. */

export async function linkAlerts(
  change: ChangeContext,
  caseId: string,
  asked: string[],
): Promise<string[]> {
  const ids = [...new Set(asked.map((id) => id.toLowerCase()))]
  const alerts = await lock(change, sql`id = ANY(${ids.filter(isRecordId)}::uuid[])`)
  const known = new Set(alerts.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw invalid('alert_ids', `alert ${unknown} does not exist`)
  const taken = alerts.find((alert) => alert.case_id !== null && alert.case_id !== caseId)
  if (taken) throw conflict(`alert ${taken.id} is in ${nameOf(taken.case_id as string)}`)
  await place(change, alerts, caseId, linkedStatus)
  return ids
}

/** The case goes, or these alerts leave it: what was linked waits for triage again. */
export async function releaseAlerts(change: ChangeContext, caseIds: string[], ids?: string[]) {
  const here = sql<boolean>`case_id = ANY(${caseIds}::uuid[])`
  const alerts = await lock(change, ids ? sql`${here} AND id = ANY(${ids}::uuid[])` : here)
  await place(change, alerts, null, () => 'triaged')
}

/** From case to case, as they are; answers those that were there to move. */
export async function moveAlerts(
  change: ChangeContext,
  move: { from: string; to: string; ids?: string[] },
): Promise<string[]> {
  const here = sql<boolean>`case_id = ${move.from}`
  const alerts = await lock(
    change,
    move.ids ? sql`${here} AND id = ANY(${move.ids}::uuid[])` : here,
  )
  await place(change, alerts, move.to, (status) => status)
  return alerts.map(({ id }) => id)
}

const MOST_INDICATORS = 500

/** What these alerts name as indicators, each once. */
export async function indicatorsOf(db: Kysely<Tables>, alertIds: string[]) {
  const { rows } = await sql<{ alert_id: string; value: string }>`
    SELECT DISTINCT ON (value) id AS alert_id, value
    FROM alerts, unnest(iocs) AS value WHERE id = ANY(${alertIds}::uuid[]) AND value <> ''
    ORDER BY value, created_at LIMIT ${MOST_INDICATORS}`.execute(db)
  return rows
}

/** Ids of the linked alerts, by case, oldest first. */
export async function alertIdsOf(db: Kysely<Tables>, caseIds: string[]) {
  const rows = await db
    .selectFrom('alerts')
    .select(['id', 'case_id'])
    .where('case_id', '=', sql<string>`ANY(${caseIds}::uuid[])`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, (row) => row.case_id as string)
}

/** The alerts of one case, in the order in which they were first seen. */
export async function alertsOf(db: Kysely<Tables>, caseId: string): Promise<Alert[]> {
  const rows = await db
    .selectFrom('alerts')
    .select(ALERT_COLUMNS)
    .where('case_id', '=', caseId)
    .orderBy('first_seen_at')
    .orderBy('id')
    .execute()
  return rows.map(toAlert)
}

type Linked = { id: string; status: AlertStatus; case_id: string | null }

function lock({ tx }: ChangeContext, condition: ReturnType<typeof sql<boolean>>) {
  return tx
    .selectFrom('alerts')
    .select(['id', 'status', 'case_id'])
    .where(condition)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

async function place(
  change: ChangeContext,
  alerts: Linked[],
  caseId: string | null,
  nextStatus: (status: AlertStatus) => AlertStatus,
) {
  const moving = alerts.filter((alert) => alert.case_id !== caseId)
  for (const [status, group] of Map.groupBy(moving, (alert) => nextStatus(alert.status))) {
    await change.tx
      .updateTable('alerts')
      .set({
        case_id: caseId,
        status,
        ...handledBy(change.principal, status),
        updated_at: sql`now()`,
      })
      .where('id', '=', sql<string>`ANY(${group.map(({ id }) => id)}::uuid[])`)
      .execute()
    for (const { id, ...before } of group) {
      const after = { status, case_id: caseId }
      await change.audit({ action: 'alert.case', target: `alert:${id}`, before, after })
      await change.publish('alert.updated', { id, ...after })
    }
  }
}

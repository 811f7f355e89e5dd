import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { familyOf, lockCase, note } from './cases.store.ts'

/**
 * Gone for every route but the ledger's: what was evidence must stay provable, so the rows remain,
 * marked with who deleted the case and when. Cases merged into it go with it.
 */
export async function deleteCase(alerts: AlertsOfCases, change: ChangeContext, caseId: string) {
  const { id, title, status, severity } = await lockCase(change.tx, caseId)
  const family = await familyOf(change.tx, id)
  await alerts.releaseAlerts(change, family)
  await note(change, id, 'case deleted')
  await change.tx
    .updateTable('cases')
    .set({ deleted_at: sql`now()`, deleted_by: change.principal.username })
    .where('id', '=', sql<string>`ANY(${family}::uuid[])`)
    .execute()
  await change.audit({
    action: 'case.delete',
    target: `case:${id}`,
    before: { title, status, severity, merged_case_ids: family.slice(1) },
  })
  await change.publish('case.deleted', { id })
  return { deleted: true as const, id }
}

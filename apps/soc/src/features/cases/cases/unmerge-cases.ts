import { conflict, notFound } from '@manara/kit/errors'
import type { CaseDetail, CaseDetailQuery } from '@manara/soc-contract/cases'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { isRecordId } from '../../../db/record-id.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { lockCase, note } from './cases.store.ts'
import { caseDetail } from './read-case.ts'
import { partsOf, restoreSeverity } from './severity-of-parts.ts'

/** Each case stands alone again, with its alerts, unless someone has moved them on meanwhile. */
export async function unmergeCases(
  alerts: AlertsOfCases,
  change: ChangeContext,
  caseId: string,
  asked: string[],
  which?: CaseDetailQuery,
): Promise<CaseDetail> {
  const target = await lockCase(change.tx, caseId)
  const { id } = target
  const before = await partsOf(change.tx, id)
  const ids = [...new Set(asked.map((one) => one.toLowerCase()))]
  for (const mergedId of ids) await unmerge(alerts, change, id, mergedId)
  await restoreSeverity(change, target, before)
  await change.tx
    .updateTable('cases')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await change.audit({ action: 'case.unmerge', target: `case:${id}`, before: { case_ids: ids } })
  await change.publish('case.unmerged', { id, case_ids: ids })
  return caseDetail(alerts, change.tx, id, which)
}

async function unmerge(alerts: AlertsOfCases, change: ChangeContext, id: string, mergedId: string) {
  const { tx, principal } = change
  await requireMergedInto(change, id, mergedId)
  const merge = await tx
    .updateTable('case_merges')
    .set({ unmerged_by: principal.username, unmerged_at: sql`now()` })
    .where('merged_case_id', '=', mergedId)
    .where('unmerged_at', 'is', null)
    .returning('alert_ids')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('cases')
    .set({ merged_into: null, version: sql`version + 1` })
    .where('id', '=', mergedId)
    .execute()
  await alerts.moveAlerts(change, { from: id, to: mergedId, ids: merge.alert_ids })
  await note(change, mergedId, `unmerged from case ${id}`)
  await note(change, id, `case ${mergedId} unmerged`)
}

async function requireMergedInto({ tx }: ChangeContext, id: string, mergedId: string) {
  const row = isRecordId(mergedId)
    ? await tx
        .selectFrom('cases')
        .select('merged_into')
        .where('id', '=', mergedId)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined
  if (!row) throw notFound('case', mergedId)
  if (row.merged_into !== id) throw conflict(`case ${mergedId} is not merged into case ${id}`)
}

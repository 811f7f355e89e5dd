import { randomUUIDv7 } from 'node:crypto'
import { invalid } from '@manara/kit/errors'
import type { CaseDetail, CaseDetailQuery } from '@manara/soc-contract/cases'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { refuseOpening } from './case-access.ts'
import { lockCases, note } from './cases.store.ts'
import { caseDetail } from './read-case.ts'
import { ownSeverity, takeHighest } from './severity-of-parts.ts'
import { mergedNote } from './timeline.ts'

/**
 * The merged cases keep all that is theirs, ledger included, and point at the one they are now part
 * of, which shows it. Only alerts move, since an alert names its case; what moved is written down,
 * so that an unmerge brings exactly that back.
 */
export async function mergeCases(
  alerts: AlertsOfCases,
  change: ChangeContext,
  caseId: string,
  asked: string[],
  which?: CaseDetailQuery,
): Promise<CaseDetail> {
  const ids = [...new Set(asked.map((id) => id.toLowerCase()))]
  if (ids.includes(caseId.toLowerCase())) throw invalid('case_ids', 'a case cannot join itself')
  const [target, ...sources] = await lockCases(change.tx, [caseId, ...ids])
  if (!target) throw invalid('case_ids', 'must name cases')
  const { id } = target
  for (const source of sources) refuseOpening(source, target)
  const own = await ownSeverity(change.tx, target)
  for (const source of sources) {
    const moved = await alerts.moveAlerts(change, { from: source.id, to: id })
    await change.tx
      .insertInto('case_merges')
      .values({
        id: randomUUIDv7(),
        case_id: id,
        merged_case_id: source.id,
        alert_ids: moved,
        merged_by: change.principal.username,
        own_severity: own,
      })
      .execute()
    await note(change, source.id, `merged into case ${id}`)
    await note(change, id, mergedNote(source))
  }
  await takeHighest(change, target, sources)
  await change.tx
    .updateTable('cases')
    .set({
      version: sql`version + 1`,
      merged_into: sql`CASE WHEN id <> ${id} THEN ${id}::uuid END`,
    })
    .where('id', '=', sql<string>`ANY(${[id, ...ids]}::uuid[])`)
    .execute()
  await change.audit({ action: 'case.merge', target: `case:${id}`, after: { case_ids: ids } })
  await change.publish('case.merged', { id, case_ids: ids })
  return caseDetail(alerts, change.tx, id, which)
}

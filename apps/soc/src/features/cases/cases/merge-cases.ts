import { randomUUIDv7 } from 'node:crypto'
import { invalid } from '@manara/kit/errors'
import type { CaseDetail } from '@manara/soc-contract/cases'
import { Severity } from '@manara/soc-contract/severity'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { AlertsOfCases } from './alerts-of-cases.ts'
import { refuseOpening } from './case-access.ts'
import { lockCases, note } from './cases.store.ts'
import { caseDetail } from './read-case.ts'

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
): Promise<CaseDetail> {
  const ids = [...new Set(asked.map((id) => id.toLowerCase()))]
  if (ids.includes(caseId.toLowerCase())) throw invalid('case_ids', 'a case cannot join itself')
  const [target, ...sources] = await lockCases(change.tx, [caseId, ...ids])
  const id = target?.id as string
  for (const source of sources) refuseOpening(source, target)
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
      })
      .execute()
    await note(change, source.id, `merged into case ${id}`)
    await note(change, id, `case ${source.id} merged: ${source.title}`)
  }
  await takeHighest(change, id, [target, ...sources])
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
  return caseDetail(alerts, change.tx, id)
}

/** One case is as bad as the worst of its parts; an unmerge leaves that for a person to lower. */
async function takeHighest(
  change: ChangeContext,
  id: string,
  [target, ...sources]: ({ severity: Severity } | undefined)[],
) {
  if (!target) return
  const rank = (severity: Severity) => Severity.options.indexOf(severity)
  const all = [target, ...sources].flatMap((one) => one?.severity ?? [])
  const worst = all.toSorted((a, b) => rank(a) - rank(b))[0] ?? target.severity
  if (worst === target.severity) return
  await change.tx.updateTable('cases').set({ severity: worst }).where('id', '=', id).execute()
  await note(change, id, `severity ${target.severity} → ${worst}, as the worst that was merged`)
}

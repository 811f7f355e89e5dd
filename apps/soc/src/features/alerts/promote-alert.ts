import { conflict } from '@manara/kit/errors'
import type { CaseCreate, CaseDetail } from '@manara/soc-contract/cases'
import { nameOf } from '../../core/access/reader.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { lockAlert } from './alerts.store.ts'

/** Opens a case and links the alerts it names, as part of `change`. */
export type OpenCase = (change: ChangeContext, fields: CaseCreate) => Promise<CaseDetail>

export async function promoteAlert(
  openCase: OpenCase,
  change: ChangeContext,
  id: string,
  body: { description?: string | null | undefined; assignee?: string | null | undefined },
): Promise<CaseDetail> {
  const alert = await lockAlert(change.tx, id)
  if (alert.case_id) throw conflict(`alert ${id} is already in ${nameOf(alert.case_id)}`)
  await change.audit({ action: 'alert.promote', target: `alert:${alert.id}` })
  return openCase(change, {
    title: alert.title,
    severity: alert.severity,
    description: body.description ?? alert.description,
    assignee: body.assignee ?? alert.assignee,
    alert_ids: [alert.id],
  })
}

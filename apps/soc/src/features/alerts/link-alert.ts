import { conflict } from '@manara/kit/errors'
import type { Alert } from '@manara/soc-contract/alerts'
import { isHidden, seeingAll } from '../../core/access/reader.ts'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { withoutRaw } from './alert-record.ts'
import { alertById, lockAlert, setAlert } from './alerts.store.ts'
import { linkedStatus } from './domain/linked-status.ts'

/** Writes into the timelines of the cases; 404 for one that is not there, 409 for a merged one. */
export type NoteInCases = (
  change: ChangeContext,
  notes: { caseId: string; action: string }[],
) => Promise<void>

/** To a case, or from one case to another: there is no other way to mend a wrong link. */
export async function linkAlert(
  noteInCases: NoteInCases,
  change: ChangeContext,
  alertId: string,
  asked: string,
): Promise<Alert> {
  const seen = await seeingAll(() => alertById(change.tx, alertId))
  const { id, case_id: from } = seen
  // Who may not read a case takes nothing out of it.
  if (isHidden(from)) throw conflict(`alert ${id} is in another case`)
  const caseId = asked.toLowerCase()
  if (from === caseId) return seen
  // Cases before alerts, as everywhere: who deletes a case locks in the same order.
  await noteInCases(change, [
    { caseId, action: `alert ${id} linked` },
    ...(from ? [{ caseId: from, action: `alert ${id} moved to case ${caseId}` }] : []),
  ])
  const before = await seeingAll(() => lockAlert(change.tx, id))
  if (before.case_id !== from) throw conflict(`alert ${id} was linked by someone else`)
  const status = linkedStatus(before.status)
  const after = await setAlert(change, id, { case_id: caseId, status })
  await change.audit({
    action: 'alert.case',
    target: `alert:${id}`,
    before: { status: before.status, case_id: from },
    after: { status, case_id: caseId },
  })
  await change.publish('alert.updated', withoutRaw(after))
  return after
}

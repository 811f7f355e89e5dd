import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { note } from '../cases/cases.store.ts'

/** What every change below a case leaves: a timeline entry, an audit entry and a live event. */
export async function recordPart(
  change: ChangeContext,
  caseId: string,
  action: string,
  what: { said: string; before?: object; after: object },
) {
  await note(change, caseId, what.said)
  await change.audit({
    action: `case.${action}`,
    target: `case:${caseId}`,
    before: what.before,
    after: what.after,
  })
  await change.publish('case.updated', { id: caseId, action: what.said })
}

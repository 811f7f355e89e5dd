import { conflict } from '@manara/kit/errors'
import type { Approval, ApprovalDecision } from '@manara/soc-contract/approvals'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import { type ApprovalRow, toApproval, toldOf } from './approval-record.ts'
import { lockApproval, setApproval } from './approvals.store.ts'
import { mayDecide } from './may-decide.ts'

/** Lets whatever waits for this approval go on, as part of the decision. */
export type OnDecided = (change: ChangeContext, approval: Approval) => Promise<void>

/** Once and for all: there is no second decision. */
export async function decideApproval(
  onDecided: OnDecided,
  change: ChangeContext,
  id: string,
  { approved, reason = null }: ApprovalDecision,
): Promise<Approval> {
  const before = await lockApproval(change.tx, id)
  if (before.status !== 'pending') throw conflict(describeEnd(before))
  const { isNamed, isIndependent } = await mayDecide(change, before)

  const { username } = change.principal
  const row = await setApproval(change.tx, before.id, {
    status: approved ? 'approved' : 'rejected',
    decided_by: username,
    reason,
  })
  const after = toApproval(row)
  await change.audit({
    action: approved ? 'approval.approve' : 'approval.reject',
    target: `approval:${before.id}`,
    before: { status: before.status, requested_by: before.requested_by },
    after: {
      status: after.status,
      reason,
      sha256: after.sha256,
      action: after.action,
      execution_id: after.execution_id,
      case_id: row.case_id,
      cases_named: row.cases_named,
      ...(isIndependent ? {} : { independent: false }),
      ...(isNamed ? {} : { in_place_of: before.approvers }),
    },
  })
  await change.publish('approval.decided', toldOf(row))
  await onDecided(change, after)
  return after
}

/** Why nothing can be decided, or used, any more. */
export function describeEnd({ id, status, decided_by, expires_at }: ApprovalRow): string {
  if (status === 'timeout') return `approval ${id} expired at ${expires_at.toISOString()}`
  const by = decided_by === null ? '' : ` by ${decided_by}`
  return `approval ${id} is already ${status}${status === 'consumed' ? '' : by}`
}

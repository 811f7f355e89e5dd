import type { Approval } from '@manara/soc-contract/approvals'
import type { PendingApproval, StartedExecution } from '@manara/soc-contract/playbooks'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import {
  askOf,
  type Bound,
  boundOf,
  type ExecuteDeps,
  type ExecuteRequest,
  mustWait,
  pendingAnswer,
  startOrAskApproval,
} from './start-or-ask-approval.ts'

export type AgainDeps = ExecuteDeps & {
  /** The newest one for exactly this that has not expired, asked for by the caller. */
  standingApproval(change: ChangeContext, request: Bound): Promise<Approval | undefined>
}

/**
 * For callers that repeat the same call instead of naming the approval, as agents do: the request
 * that waits is told again, the approved one is used, and a rejection is not asked about twice.
 */
export async function executeAgain(
  deps: AgainDeps,
  change: ChangeContext,
  request: Omit<ExecuteRequest, 'approvalId'>,
): Promise<StartedExecution | PendingApproval | { status: 'rejected'; message: string }> {
  const fresh = { ...request, approvalId: undefined }
  const { playbook, ask } = await askOf(deps, change, fresh)
  if (ask.dry_run || !mustWait(playbook, ask)) return startOrAskApproval(deps, change, fresh)
  const standing = await deps.standingApproval(change, boundOf(playbook, ask))
  if (standing?.status === 'pending') return pendingAnswer(playbook, standing.id)
  if (standing?.status === 'rejected') {
    const why = standing.reason ? `: ${standing.reason}` : ''
    return { status: 'rejected', message: `${standing.decided_by} has rejected this${why}` }
  }
  return startOrAskApproval(deps, change, { ...request, approvalId: standing?.id })
}

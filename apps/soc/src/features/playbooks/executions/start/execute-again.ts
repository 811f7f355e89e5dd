import type { PendingApproval, StartedExecution } from '@manara/soc-contract/playbooks'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import {
  askOf,
  boundOf,
  type ExecuteDeps,
  type ExecuteRequest,
  mustWait,
  startOrAskApproval,
} from './start-or-ask-approval.ts'

/**
 * For callers that repeat the same call instead of naming the approval, as agents do: the request
 * that waits is told again, the approved one is used, and a rejection is not asked about twice.
 */
export async function executeAgain(
  deps: ExecuteDeps,
  change: ChangeContext,
  request: Omit<ExecuteRequest, 'approvalId'>,
): Promise<StartedExecution | PendingApproval | { status: 'rejected'; message: string }> {
  const fresh = { ...request, approvalId: undefined }
  const { playbook, ask } = await askOf(deps, change, fresh)
  if (ask.dry_run || !mustWait(playbook, ask)) return startOrAskApproval(deps, change, fresh)
  const standing = await deps.standingApproval(change, boundOf(playbook, ask))
  if (standing?.status === 'rejected') {
    const why = standing.reason ? `: ${standing.reason}` : ''
    return { status: 'rejected', message: `${standing.decided_by} has rejected this${why}` }
  }
  const approvalId = standing?.status === 'approved' ? standing.id : undefined
  return startOrAskApproval(deps, change, { ...request, approvalId })
}

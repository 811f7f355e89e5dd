import { notFound } from '@manara/kit/errors'
import type { Approval, ApprovalListQuery } from '@manara/soc-contract/approvals'
import { pageOf } from '../../showcase/page-of.ts'

/** The list as it would come from the database, over the showcase. */
export function showApprovals(approvals: Approval[], query: ApprovalListQuery) {
  const { status, case_id, playbook_id, order } = query
  const direction = order === 'asc' ? 1 : -1
  const shown = approvals
    .filter((approval) => status === 'all' || approval.status === status)
    .filter((approval) => case_id === undefined || approval.case_id === case_id)
    .filter((approval) => playbook_id === undefined || approval.playbook_id === playbook_id)
    .sort((a, b) => direction * (Date.parse(a.created_at) - Date.parse(b.created_at)))
  return pageOf(shown, query)
}

export function showApproval(approvals: Approval[], id: string): Approval {
  const approval = approvals.find((one) => one.id === id)
  if (!approval) throw notFound('approval', id)
  return approval
}

import type { Approval, ApprovalListQuery } from '@manara/soc-contract/approvals'
import { hasAsked, showList } from '../../showcase/query.ts'

export const showApprovals = (approvals: Approval[], query: ApprovalListQuery) =>
  showList(approvals, query, { where, sortBy: ({ created_at }) => Date.parse(created_at) })

const where = (approval: Approval, query: ApprovalListQuery) =>
  (query.status === 'all' || approval.status === query.status) &&
  hasAsked(approval, query, ['case_id', 'playbook_id'])

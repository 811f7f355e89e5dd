import type { Approval } from '@manara/soc-contract/approvals'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { sha256Of } from './domain/binding.ts'

export type ApprovalRow = Selectable<Tables['approvals']> & {
  /** The names of those who were named to decide and may still. */
  approvers_left: string[] | null
  /** Where it is read, not where it is written. */
  requester_decides?: boolean
}

export function toApproval({
  binding_hash,
  frozen,
  approver_ids: _,
  cases_named: _named,
  ...row
}: ApprovalRow): Approval {
  const { steps, changes, targets } = row
  return {
    ...row,
    sha256: sha256Of({ binding_hash, steps, changes, targets, frozen }),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    consumed_at: row.consumed_at?.toISOString() ?? null,
  }
}

/** For listeners and the audit log: who may not read one of the cases that it names is left out. */
export const toldOf = (row: ApprovalRow) => ({ ...toApproval(row), cases_named: row.cases_named })

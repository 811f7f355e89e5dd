import { conflict } from '@manara/kit/errors'
import type { Approval } from '@manara/soc-contract/approvals'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { ProposalFunctions } from './functions.ts'
import { boundOf } from './gate-proposal.ts'
import { performAction } from './perform/perform-action.ts'
import { casesNamed, type ProposalRow } from './proposal-record.ts'
import { setProposal } from './proposals.store.ts'

/**
 * What stands behind an approval happens as part of the decision, whether it was decided as a
 * proposal or as an approval.
 */
export async function onDecided(
  functions: ProposalFunctions,
  change: ChangeContext,
  approval: Approval,
): Promise<void> {
  const row = await change.tx
    .selectFrom('proposals')
    .selectAll()
    .where('approval_id', '=', approval.id)
    .where('status', 'in', ['open', 'withdrawn'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return
  if (row.status === 'withdrawn') return refuseWithdrawn(row, approval)
  const { decided_by, reason: status_reason } = approval
  if (approval.status === 'approved' || approval.status === 'consumed') {
    return accept(functions, change, row, { decided_by, status_reason })
  }
  if (approval.status === 'rejected') {
    await setProposal(change, row.id, { status: 'rejected', decided_by, status_reason })
    return
  }
  const status = approval.status === 'timeout' ? 'expired' : 'withdrawn'
  await setProposal(change, row.id, {
    status,
    status_reason: `the approval was ${approval.status}`,
  })
}

/** Until the gate has taken its approval back: nobody should believe that it was done. */
function refuseWithdrawn({ id, status_reason }: ProposalRow, { status }: Approval) {
  if (status !== 'approved') return
  throw conflict(`proposal ${id} was withdrawn: ${status_reason}; nothing was done`)
}

async function accept(
  functions: ProposalFunctions,
  change: ChangeContext,
  row: ProposalRow,
  decision: Pick<Approval, 'decided_by'> & { status_reason: string | null },
) {
  if (row.kind !== 'execute_playbook' && row.approval_id !== null) {
    await functions.consumeProposal(change, row.approval_id, boundOf(row))
  }
  const result = await performAction(functions, change, row)
  await change.audit({
    action: 'proposal.accept',
    target: `proposal:${row.id}`,
    after: {
      ...{ ...decision, result, action_sha256: row.action_sha256 },
      cases_named: await casesNamed(change.tx, row),
    },
  })
  await setProposal(change, row.id, { status: 'accepted', ...decision, result })
}

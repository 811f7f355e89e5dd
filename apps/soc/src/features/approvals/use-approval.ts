import { conflict } from '@manara/kit/errors'
import type { Approval, ApprovalKind } from '@manara/soc-contract/approvals'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Frozen } from '../../db/tables/response.ts'
import { type ApprovalRow, toApproval, toldOf } from './approval-record.ts'
import { lockApproval, newestApproval, setApproval } from './approvals.store.ts'
import { describeEnd } from './decide-approval.ts'
import { type Bound, bindingOf } from './domain/binding.ts'

/** What was asked with this approval, for whoever asks again with it. */
export async function approvedRequest(change: ChangeContext, id: string): Promise<Approval> {
  return toApproval(await lockApproval(change.tx, id))
}

/** The newest of the caller's requests for exactly this that may still count. */
export async function standingApproval(
  { tx, principal }: ChangeContext,
  request: Bound,
): Promise<Approval | undefined> {
  const row = await newestApproval(tx, bindingOf(request), principal)
  const counts = row && ['pending', 'approved', 'rejected'].includes(row.status)
  return counts ? toApproval(row) : undefined
}

/** Uses it up for exactly what was approved, which is answered; 409 says what is in the way. */
export async function consumeApproval(
  change: ChangeContext,
  id: string,
  { executionId, ...request }: Bound & { executionId: string },
): Promise<Frozen> {
  const row = await requireApproved(change, id, 'playbook', request)
  if (!row.frozen) throw conflict(`approval ${id} is from an older version: request a new one`)
  await consume(change, row, executionId)
  return row.frozen
}

/** The same for a proposal: what is done is what the approval showed. */
export async function consumeProposal(
  change: ChangeContext,
  id: string,
  request: Omit<Bound, 'playbook_id'>,
): Promise<Approval> {
  const row = await requireApproved(change, id, 'proposal', { ...request, playbook_id: null })
  return consume(change, row, null)
}

async function requireApproved(
  change: ChangeContext,
  id: string,
  kind: ApprovalKind,
  request: Bound,
): Promise<ApprovalRow> {
  const row = await lockApproval(change.tx, id)
  if (row.kind !== kind) throw conflict(`approval ${id} is not for a ${kind}`)
  if (row.status === 'pending') throw conflict(`approval ${id} is not decided yet`)
  if (row.status === 'rejected') throw conflict(rejection(row))
  if (row.status !== 'approved') throw conflict(describeEnd(row))
  if (row.is_over) throw conflict(describeEnd({ ...row, status: 'timeout' }))
  if (row.binding_hash !== bindingOf(request)) {
    throw conflict(`approval ${id} is for another ${kind}, parameters or target: request a new one`)
  }
  return row
}

/**
 * For the step that waits for it: approved is used up, anything else is told as it is. Nobody agreed
 * to what begins after it expired, as in a service that was down.
 */
export async function useApproval(change: ChangeContext, id: string): Promise<Approval> {
  const row = await lockApproval(change.tx, id)
  if (row.status !== 'approved' || row.execution_id === null) return toApproval(row)
  if (row.is_over) return toApproval({ ...row, status: 'timeout' })
  return consume(change, row, row.execution_id)
}

/** What it was for is done with the decision itself. */
export async function spendApproval(change: ChangeContext, id: string): Promise<void> {
  const row = await lockApproval(change.tx, id)
  if (row.status === 'approved') await consume(change, row, null)
}

/** Nobody needs to decide any more. */
export async function withdrawApproval(change: ChangeContext, id: string): Promise<void> {
  const row = await lockApproval(change.tx, id)
  if (row.status !== 'pending') return
  const after = await setApproval(change.tx, id, { status: 'cancelled' })
  await change.audit({ action: 'approval.cancel', target: `approval:${id}` })
  await change.publish('approval.cancelled', toldOf(after))
}

async function consume(change: ChangeContext, row: ApprovalRow, executionId: string | null) {
  const after = await setApproval(change.tx, row.id, {
    status: 'consumed',
    ...(executionId === null ? {} : { execution_id: executionId }),
  })
  await change.audit({
    action: 'approval.consume',
    target: `approval:${row.id}`,
    after: { execution_id: executionId, decided_by: row.decided_by },
  })
  await change.publish('approval.consumed', toldOf(after))
  return toApproval(after)
}

const rejection = ({ id, decided_by, reason }: ApprovalRow) =>
  `approval ${id} was rejected by ${decided_by}${reason ? `: ${reason}` : ''}`

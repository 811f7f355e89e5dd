import { AppError, conflict } from '@manara/kit/errors'
import type { Approval, ApprovalDecision } from '@manara/soc-contract/approvals'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import {
  APART_HOURS,
  othersWhoApprove,
  removedBy,
  samePerson,
  TAKEN_TO_POST,
} from '../../core/identity/account-changes.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { type ApprovalRow, toApproval, toldOf } from './approval-record.ts'
import { lockApproval, type Poster, postersOf, setApproval } from './approvals.store.ts'

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
  const posters = await postersOf(change.tx, before)
  await refuseOwnRequest(change, before, posters)
  const isNamed = await refuseOthers(change, before)
  const isIndependent = await refuseSamePerson(change, before, posters)

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
      ...(isIndependent ? {} : { independent: false }),
      ...(isNamed ? {} : { in_place_of: before.approvers }),
    },
  })
  await change.publish('approval.decided', toldOf(row))
  await onDecided(change, after)
  return after
}

/** Somebody else who may approve, or was sent away by the caller just now. */
export async function hasSecondPerson({
  tx,
  principal,
}: Pick<ChangeContext, 'tx' | 'principal'>): Promise<boolean> {
  const other = await tx
    .selectFrom('users')
    .select('username')
    .where('role', 'in', ['manager', 'admin'])
    .where('disabled', '=', false)
    .where('username', '!=', principal.username)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return true
  if (principal.id === undefined) return false
  return (await othersWhoApprove(tx, await samePerson(tx, principal.id))).length > 0
}

/**
 * Who makes an account, or takes one over, does not become two people by it. Where nobody else could
 * decide, as in a team that has just begun, that is recorded instead of refused.
 */
async function refuseSamePerson(
  { tx, principal }: ChangeContext,
  { requested_by, requested_by_id, approver_ids }: ApprovalRow,
  posters: Poster[],
): Promise<boolean> {
  if (principal.id === undefined) return true
  const isPosted = posters.length > 0
  const accounts = await samePerson(tx, principal.id, isPosted ? TAKEN_TO_POST : undefined)
  const asked = isPosted ? posters : [{ id: requested_by_id, name: requested_by }]
  const same = asked.find(({ id }) => id !== null && accounts.has(id))
  if (!same) return true
  const others = await othersWhoApprove(tx, accounts)
  if (!others.some((id) => approver_ids === null || approver_ids.includes(id))) return false
  const whoAsked = isPosted ? `${same.name}, ${WHO_POSTED},` : same.name
  throw new AppError(
    403,
    `${principal.username} and ${whoAsked} do not count as two people: one account was made, changed or given a key by the other, or both by the same person, within ${APART_HOURS} hours: ask another manager or admin`,
  )
}

const WHO_POSTED = 'who posted the alert that made the service ask'

/**
 * Four eyes, unless there are only two: who is the one manager or admin decides alone. An alert that
 * makes the service ask is one's own request, too.
 */
async function refuseOwnRequest(
  { tx, principal }: ChangeContext,
  approval: ApprovalRow,
  posters: Poster[],
) {
  const isPoster = posters.some(({ id }) => id === principal.id)
  if (!isPoster && !isOwn(approval, principal)) return
  if (await hasSecondPerson({ tx, principal })) {
    const who = isPoster ? `${WHO_POSTED} for an approval` : 'who requests an approval'
    throw new AppError(403, `${who} cannot decide it: ask another manager or admin`)
  }
}

/**
 * A playbook may name those who decide about it. When none of them is left an admin decides in their
 * place, but not the one who sent them away.
 */
async function refuseOthers(
  { tx, principal }: ChangeContext,
  { approvers, approver_ids, approvers_left }: ApprovalRow,
): Promise<boolean> {
  if (approvers === null || approver_ids?.includes(principal.id ?? '')) return true
  const only = `only ${approvers.join(', ')} may decide this`
  const isNew = approvers.includes(principal.username)
  const why = isNew ? `, and you are a new user of that name: take it out and name it again` : ''
  if (approvers_left === null || approvers_left.length > 0) throw new AppError(403, `${only}${why}`)
  if (principal.role !== 'admin') {
    throw new AppError(403, `${only}, and none of them is left: an admin decides in their place`)
  }
  const removed = principal.id ? await removedBy(tx, principal.id, approver_ids ?? []) : []
  if (removed.length > 0) {
    throw new AppError(
      403,
      `${only}, and you took ${removed.join(', ')} away within ${APART_HOURS} hours: ask another admin`,
    )
  }
  return false
}

/** Of a former user only the name is known: then the same name counts as the same person. */
function isOwn({ requested_by, requested_by_id }: ApprovalRow, { id, username }: Principal) {
  return requested_by_id === null ? requested_by === username : requested_by_id === id
}

/** Why nothing can be decided, or used, any more. */
export function describeEnd({ id, status, decided_by, expires_at }: ApprovalRow): string {
  if (status === 'timeout') return `approval ${id} expired at ${expires_at.toISOString()}`
  const by = decided_by === null ? '' : ` by ${decided_by}`
  return `approval ${id} is already ${status}${status === 'consumed' ? '' : by}`
}

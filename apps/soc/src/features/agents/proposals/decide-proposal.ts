import { conflict, forbidden } from '@manara/kit/errors'
import type { Permission } from '@manara/soc-contract/permissions'
import type { Proposal, ProposalReject } from '@manara/soc-contract/proposals'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { KINDS } from './domain/kinds.ts'
import type { ProposalFunctions } from './functions.ts'
import { gateProposal } from './gate-proposal.ts'
import { takeBack } from './perform/take-back.ts'
import { casesNamed, type ProposalRow } from './proposal-record.ts'
import { lockProposal, proposalById, setProposal } from './proposals.store.ts'

/** Through an approval, also where nobody asked for one before: it names who, when and what bytes. */
export async function acceptProposal(
  functions: ProposalFunctions,
  change: ChangeContext,
  id: string,
  reason: string | null,
): Promise<Proposal> {
  const row = await lockProposal(change.tx, id)
  requireOpen(row)
  requireRight(change, row)
  const { approval_id, status, status_reason } = row.approval_id
    ? row
    : await gateProposal(functions, change, row)
  if (status === 'withdrawn') throw conflict(`proposal ${id} was withdrawn: ${status_reason}`)
  if (approval_id === null) return proposalById(change.tx, id)
  await functions.decideApproval(change, approval_id, { approved: true, reason })
  return proposalById(change.tx, id)
}

/** The same is not proposed again for a month; a verdict teaches what people found. */
export async function rejectProposal(
  functions: ProposalFunctions,
  change: ChangeContext,
  id: string,
  { reason, verdict }: ProposalReject,
): Promise<Proposal> {
  const row = await lockProposal(change.tx, id)
  requireOpen(row)
  const feedback_ids = verdict ? await teach(functions, change, row, { reason, verdict }) : []
  if (row.approval_id) await refuse(functions, change, row, row.approval_id, reason)
  await change.audit({
    action: 'proposal.reject',
    target: `proposal:${row.id}`,
    after: {
      ...{ reason, verdict: verdict ?? null, feedback_ids },
      cases_named: await casesNamed(change.tx, row),
    },
  })
  return setProposal(change, id, {
    status: 'rejected',
    status_reason: reason,
    decided_by: change.principal.username,
    feedback_ids,
  })
}

/**
 * An execution that waits for its approval hears the decision; other approvals are taken back, and
 * so is what the one who rejects has asked for themselves: nobody decides about that.
 */
async function refuse(
  { cancelExecution, decideApproval, withdrawApproval }: ProposalFunctions,
  change: ChangeContext,
  { kind, agent_id, proposed_by, result }: ProposalRow,
  approvalId: string,
  reason: string,
) {
  if (kind !== 'execute_playbook') return withdrawApproval(change, approvalId)
  const isOwn = agent_id === null && proposed_by === change.principal.username
  if (isOwn) await cancelExecution(change, String(result?.execution_id))
  else await decideApproval(change, approvalId, { approved: false, reason })
}

/** Verdicts on the rules behind the alerts it cites, in the name of who rejects. */
async function teach(
  { giveVerdict }: ProposalFunctions,
  change: ChangeContext,
  { id, cites }: ProposalRow,
  { reason, verdict }: { reason: string; verdict: NonNullable<ProposalReject['verdict']> },
): Promise<string[]> {
  if (!change.principal.permissions.has('detections:write')) throw forbidden('detections:write')
  const alerts = await change.tx
    .selectFrom('alerts')
    .select(['id', 'rule_id'])
    .where('id', '=', sql<string>`ANY(${cites.alert_ids}::uuid[])`)
    .where('rule_id', 'is not', null)
    .orderBy('id')
    .execute()
  const given: string[] = []
  for (const { id: alert_id, rule_id } of alerts) {
    const body = { verdict, alert_id, notes: reason, metadata: { proposal_id: id } }
    given.push((await giveVerdict(change, rule_id as string, body)).id)
  }
  return given
}

/** Of an accepted one, what it did is taken back; of a rejected one, what it taught. */
export async function undoProposal(
  functions: ProposalFunctions,
  change: ChangeContext,
  id: string,
  reason: string | null,
): Promise<Proposal> {
  const row = await lockProposal(change.tx, id)
  const { username } = change.principal
  const after = { reason, cases_named: await casesNamed(change.tx, row) }
  if (row.status === 'accepted') {
    requireRight(change, row, KINDS[row.kind].undoPermission)
    await takeBack(functions, change, row)
    await change.audit({ action: 'proposal.undo', target: `proposal:${row.id}`, after })
    return setProposal(change, id, { status: 'undone', status_reason: reason, undone_by: username })
  }
  if (row.status !== 'rejected') throw conflict(`proposal ${id} is ${row.status}: nothing to undo`)
  if (row.expires_at <= new Date()) throw conflict(`proposal ${id} has expired meanwhile`)
  await functions.withdrawVerdicts(change, row.feedback_ids)
  await change.audit({ action: 'proposal.reopen', target: `proposal:${row.id}`, after })
  return setProposal(change, id, {
    status: 'open',
    status_reason: reason,
    approval_id: null,
    decided_by: null,
    feedback_ids: [],
  })
}

function requireOpen({ id, status, decided_by }: ProposalRow) {
  if (status === 'open') return
  throw conflict(`proposal ${id} is already ${status}${decided_by ? ` by ${decided_by}` : ''}`)
}

/** Nobody gains a right by way of a proposal. */
function requireRight(
  { principal }: ChangeContext,
  { kind, effect }: ProposalRow,
  more?: Permission,
) {
  const needed: Permission[] = [KINDS[kind].permission]
  if (more) needed.push(more)
  if (effect === 'acts') needed.push('approvals:manage')
  const missing = needed.find((permission) => !principal.permissions.has(permission))
  if (missing) throw forbidden(missing)
}

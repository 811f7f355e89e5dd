import { conflict } from '@manara/kit/errors'
import type { Approval, FieldChange } from '@manara/soc-contract/approvals'
import {
  type PendingApproval,
  PlaybookDefinition,
  type PlaybookStep,
} from '@manara/soc-contract/playbooks'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { differences } from '../domain/differences.ts'
import { graveChanges } from '../domain/grave-changes.ts'
import { type CheckDeps, checkBeforeSaving } from './check-before-saving.ts'
import type { PlaybookRow } from './playbook-record.ts'
import { lockPlaybookOrMark, type Operation, storeDefinition } from './playbooks.store.ts'
import { newestRevision } from './revisions.store.ts'

const APPROVAL_HOURS = 24

export type SecondPerson = {
  /** Somebody else who may approve: who is alone decides alone. */
  hasSecondPerson(change: ChangeContext): Promise<boolean>
  requestApproval(change: ChangeContext, request: ChangeApproval): Promise<Approval>
  /** Uses up one that was approved. */
  spendApproval(change: ChangeContext, approvalId: string): Promise<unknown>
}

type ChangeApproval = {
  kind: 'playbook_change'
  action: string
  justification: string | null
  playbook_id: string
  playbook_name: string
  playbook_version: number
  execution_id: null
  alert_id: null
  case_id: null
  parameters: Record<string, unknown>
  bound: Record<string, unknown>
  steps: PlaybookStep[]
  changes: FieldChange[]
  approvers: string[] | null
  approver_ids: string[] | null
  requested_by: string
  ttl_hours: number
}

/** Nothing when one person may do it; else it is asked for, and the playbook stays as it is. */
export async function askSecondPerson(
  deps: SecondPerson,
  change: ChangeContext,
  asked: {
    before: PlaybookRow
    old: PlaybookDefinition
    after: PlaybookDefinition
    operation: Operation
  },
): Promise<PendingApproval | undefined> {
  const { before, old, after, operation } = asked
  const grave = graveChanges(old, after)
  if (grave.length === 0 || !(await deps.hasSecondPerson(change))) return undefined
  const parameters = {
    operation,
    base_revision: await newestRevision(change.tx, before.id),
    definition: after,
  }
  const approval = await deps.requestApproval(change, {
    kind: 'playbook_change',
    action: `change ${grave.join(', ')} of the critical playbook ${before.name}`,
    justification: null,
    playbook_id: before.id,
    playbook_name: before.name,
    playbook_version: before.version,
    ...{ execution_id: null, alert_id: null, case_id: null, parameters },
    bound: { change: operation },
    steps: after.steps,
    changes: differences(old, after),
    approvers: old.approvers,
    approver_ids: before.approver_ids,
    requested_by: change.principal.username,
    ttl_hours: APPROVAL_HOURS,
  })
  return {
    playbook_id: before.id,
    playbook_name: before.name,
    status: 'pending_approval',
    approval_id: approval.id,
    requires_approval: true,
    steps_total: after.steps.length,
    message: `${before.name} is critical: nothing is changed until another manager or admin approves ${approval.id}`,
  }
}

/** The stored copy of the change is made as part of the decision. */
export async function makeDecidedChange(
  deps: SecondPerson & CheckDeps,
  change: ChangeContext,
  approval: Approval,
): Promise<void> {
  const { id, kind, status, playbook_id, parameters, requested_by } = approval
  if (kind !== 'playbook_change' || status !== 'approved' || playbook_id === null) return
  const before = await lockPlaybookOrMark(change.tx, playbook_id)
  if ((await newestRevision(change.tx, playbook_id)) !== parameters.base_revision) {
    throw conflict(
      `playbook ${playbook_id} was changed after this was asked for: reject it, and ask anew`,
    )
  }
  const definition = PlaybookDefinition.parse(parameters.definition)
  await checkBeforeSaving(deps, change, definition, before.approvers)
  const operation = parameters.operation as Operation
  await storeDefinition(change, before, definition, { operation, requestedBy: requested_by })
  await deps.spendApproval(change, id)
}

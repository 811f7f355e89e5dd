import { randomUUIDv7 } from 'node:crypto'
import { AppError, conflict, invalid } from '@manara/kit/errors'
import type { Approval } from '@manara/soc-contract/approvals'
import type { ExecuteBody, PendingApproval, StartedExecution } from '@manara/soc-contract/playbooks'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { Frozen, FrozenContext } from '../../../../db/tables/response.ts'
import type { ActionFunctions, StepApproval } from '../../actions/functions.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import { playbookById } from '../../definitions/playbooks.store.ts'
import type { Scope } from '../../domain/evaluate.ts'
import { resolveParameters } from '../../domain/parameters.ts'
import {
  cutOff,
  findTargets,
  needsApproval,
  type TargetFunctions,
  unknownBlocks,
} from './find-targets.ts'
import { contextOf, filledSteps } from './freeze.ts'
import { type Ask, scopeOfAsk, storeExecution } from './store-execution.ts'

const APPROVAL_HOURS = 4

export type Bound = Pick<
  StepApproval,
  'playbook_id' | 'alert_id' | 'case_id' | 'parameters' | 'bound'
>

export type ExecuteDeps = Pick<ActionFunctions, 'requestApproval' | 'refuseCollectors'> &
  TargetFunctions & {
    /** What was asked when this approval was requested. */
    approvedRequest(change: ChangeContext, approvalId: string): Promise<Approval>
    /** The newest one for exactly this that has not expired, asked for by the caller. */
    standingApproval(change: ChangeContext, request: Bound): Promise<Approval | undefined>
    /** Uses it up for exactly that, and answers the copy to run; 409 says what is in the way. */
    consumeApproval(
      change: ChangeContext,
      approvalId: string,
      request: Bound & { executionId: string },
    ): Promise<Frozen>
  }

/** Everything an approval may be asked for with. */
type AskedFor = Ask & { context: FrozenContext }

export type ExecuteRequest = {
  playbookId: string
  /** None repeats what was approved. */
  body: ExecuteBody | undefined
  approvalId: string | undefined
  /** A rehearsal, whatever the body says. */
  isRehearsal: boolean
}

/**
 * Begins an execution; a critical playbook first asks for an approval, and nothing is executed. Who
 * asks again while that waits is told of the same one: approved both, it would run twice.
 */
export async function startOrAskApproval(
  deps: ExecuteDeps,
  change: ChangeContext,
  request: ExecuteRequest,
): Promise<StartedExecution | PendingApproval> {
  const { playbook, ask } = await askOf(deps, change, request)
  const { approvalId } = request
  // A rehearsal reaches nothing, so there is nothing to approve.
  if (ask.dry_run || (approvalId === undefined && !mustWait(playbook, ask))) {
    return started(await storeExecution(change, playbook, { ...ask, context: null }))
  }
  if (approvalId !== undefined) {
    const id = randomUUIDv7()
    const bound = { ...boundOf(playbook, ask), executionId: id }
    const { context, ...copy } = await deps.consumeApproval(change, approvalId, bound)
    const beginning = { id, status: 'pending', approval_id: approvalId } as const
    return started(
      await storeExecution(change, { ...playbook, ...copy }, { ...ask, context }, beginning),
    )
  }
  const standing = await deps.standingApproval(change, boundOf(playbook, ask))
  const { id } =
    standing?.status === 'pending'
      ? standing
      : await deps.requestApproval(change, approvalOf(playbook, ask, null))
  return pendingAnswer(playbook, id)
}

/** What is asked for, with every parameter and the target found. */
export async function askOf(
  deps: ExecuteDeps,
  change: ChangeContext,
  { playbookId, body, approvalId, isRehearsal }: ExecuteRequest,
): Promise<{ playbook: PlaybookRow; ask: AskedFor }> {
  const playbook = await playbookById(change.tx, playbookId)
  if (!playbook.enabled) throw conflict(`playbook ${playbook.id} is switched off: enable it first`)
  const wanted: Partial<ExecuteBody> =
    body ?? (approvalId === undefined ? {} : await deps.approvedRequest(change, approvalId))
  const ask: Omit<Ask, 'targets' | 'context'> = {
    trigger: 'manual',
    dry_run: isRehearsal || (body?.dry_run ?? false),
    parameters: resolveParameters(playbook.parameters, wanted.parameters ?? {}),
    requested_by: change.principal.username,
    ...(await targetOf(deps, change, wanted)),
  }
  const context = await contextOf(deps, change.tx, ask)
  const targets = await findTargets(deps, playbook, scopeOfAsk(ask, context))
  await deps.refuseCollectors(change.tx, cutOff(targets))
  return { playbook, ask: { ...ask, targets, context } }
}

export const mustWait = (playbook: PlaybookRow, ask: AskedFor): boolean =>
  needsApproval(playbook, ask.targets, scopeOfAsk(ask, ask.context))

const pendingAnswer = (playbook: PlaybookRow, approvalId: string): PendingApproval => ({
  playbook_id: playbook.id,
  playbook_name: playbook.name,
  status: 'pending_approval',
  approval_id: approvalId,
  requires_approval: true,
  steps_total: playbook.steps.length,
  message: `${playbook.name} ${playbook.is_critical ? 'is critical' : 'blocks what several hosts have or may have'} and waits for an approval: when it is given, repeat this call with ?approval_id=${approvalId}`,
})

/** The whole of what is asked: a playbook edited since is another one, also when edited back. */
export function boundOf(
  playbook: PlaybookRow,
  { alert_id, case_id, parameters, targets }: Ask,
): Bound {
  const { id, version, steps } = playbook
  return {
    playbook_id: id,
    alert_id,
    case_id,
    parameters,
    bound: { version, steps, targets: targets.map(({ seen: _, ...target }) => target) },
  }
}

export function approvalOf(
  playbook: PlaybookRow,
  ask: AskedFor,
  executionId: string | null,
): StepApproval {
  const { steps, timeout_s, version, approvers, approver_ids } = playbook
  const scope = scopeOfAsk(ask, ask.context)
  return {
    ...boundOf(playbook, ask),
    kind: 'playbook',
    action: `execute playbook ${playbook.name}`,
    justification: justificationOf(playbook, scope),
    playbook_id: playbook.id,
    playbook_name: playbook.name,
    execution_id: executionId,
    targets: ask.targets,
    playbook_version: version,
    steps: filledSteps(steps, scope),
    approvers,
    approver_ids,
    frozen: { steps, timeout_s, context: ask.context },
    requested_by: ask.requested_by,
    ttl_hours: APPROVAL_HOURS,
  }
}

/** What the approver cannot see among the targets is said. */
function justificationOf(playbook: PlaybookRow, scope: Scope): string | null {
  const unknown = unknownBlocks(playbook, scope)
  if (unknown.length === 0) return playbook.description
  const why = `What ${unknown.join(', ')} will block is not known yet, so it cannot be found out how many hosts have it.`
  return [playbook.description, why].filter(Boolean).join(' ')
}

async function targetOf(
  { readAlert, readCase }: ExecuteDeps,
  { tx }: ChangeContext,
  { alert_id, case_id }: Partial<ExecuteBody>,
): Promise<Pick<Ask, 'alert_id' | 'case_id'>> {
  const idOf = async (field: string, id: string, reading: Promise<{ id: string }>) => {
    try {
      return (await reading).id
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 404) throw error
      throw invalid(field, `${id} does not exist`)
    }
  }
  return {
    alert_id: alert_id ? await idOf('alert_id', alert_id, readAlert(tx, alert_id)) : null,
    case_id: case_id ? await idOf('case_id', case_id, readCase(tx, case_id)) : null,
  }
}

function started(execution: Awaited<ReturnType<typeof storeExecution>>): StartedExecution {
  // Only triggers can meet one that is there already.
  if (!execution) throw conflict('the execution exists already')
  return {
    ...execution,
    execution_id: execution.id,
    requires_approval: false,
    message: execution.dry_run
      ? 'a rehearsal has begun: nothing is changed and nobody is reached'
      : 'the execution has begun',
  }
}

import { AppError } from '@manara/kit/errors'
import { filledText, text } from '@manara/soc-contract/text'
import { z } from 'zod'
import { freezeRest } from '../executions/start/freeze.ts'
import type { Action } from './action.ts'
import type { ActionFunctions } from './functions.ts'
import { SIMULATED_ID } from './simulated.ts'

const Params = z.strictObject({
  action: filledText(500),
  justification: text(4_000).nullable().default(null),
  ttl_hours: z.number().positive().max(168).default(4),
})
type Params = z.infer<typeof Params>

/** The execution goes on when somebody approved; a no or no decision in time fails the step. */
export function requestApproval(
  functions: Pick<ActionFunctions, 'requestApproval' | 'useApproval' | 'readAlert' | 'readCase'>,
): Action {
  return {
    effect: 'waits',
    params: Params,
    async begin(change, params: Params, run) {
      const rest = await freezeRest(functions, change, run.executionId, run.stepId)
      const approval = await functions.requestApproval(change, {
        kind: 'step',
        action: params.action,
        justification: params.justification,
        playbook_id: run.playbookId,
        playbook_name: run.playbookName,
        execution_id: run.executionId,
        alert_id: run.alertId,
        case_id: run.caseId,
        ...rest,
        parameters: {},
        bound: { step: run.idempotencyKey, ...rest },
        requested_by: run.requestedBy,
        ttl_hours: params.ttl_hours,
      })
      return {
        until: new Date(approval.expires_at),
        note: { approval_id: approval.id },
        approvalId: approval.id,
      }
    },
    async resume(change, _params: Params, { approval_id }) {
      const approval = await functions.useApproval(change, String(approval_id))
      const { status, decided_by, reason } = approval
      if (status === 'pending') return { until: new Date(approval.expires_at) }
      if (status === 'consumed') {
        return { output: { approval_id, status: 'approved', decided_by, reason } }
      }
      if (status === 'timeout') throw new AppError(504, lateness(decided_by))
      throw new AppError(
        409,
        `${status} by ${decided_by ?? 'nobody'}${reason ? `: ${reason}` : ''}`,
      )
    },
    undo: null,
    simulate: () => ({ approval_id: SIMULATED_ID, status: 'approved', decided_by: null }),
  }
}

const lateness = (decidedBy: string | null) =>
  decidedBy === null
    ? 'nobody decided in time'
    : `approved by ${decidedBy}, and not used before it expired`

import { AppError } from '@manara/kit/errors'
import type { ApprovalTarget } from '@manara/soc-contract/approvals'
import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import type { Scope } from '../../domain/evaluate.ts'
import { render } from '../../domain/template.ts'
import type { Ask } from './store-execution.ts'

export type TargetFunctions = Pick<ActionFunctions, 'readAlert' | 'readCase'>

/** Which parameter of a step says whom it reaches. */
const TARGET_OF: Record<string, string> = {
  edr_isolate: 'endpoint',
  edr_unisolate: 'endpoint',
  edr_scan: 'endpoint',
  block_indicator: 'value',
}
const CUTS_OFF = new Set(['edr_isolate', 'block_indicator'])

/**
 * Whom a critical playbook will reach, found when it is asked for: it is what people approve, and
 * what runs.
 */
export async function findTargets(
  functions: TargetFunctions,
  db: Kysely<Tables>,
  playbook: PlaybookRow,
  ask: Omit<Ask, 'targets'>,
): Promise<ApprovalTarget[]> {
  if (!playbook.is_critical) return []
  const { alert_id, case_id, parameters: params, requested_by } = ask
  const scope: Scope = {
    alert: alert_id && (await functions.readAlert(db, alert_id)),
    case: case_id && (await functions.readCase(db, case_id)),
    params,
    steps: {},
    execution: { requested_by },
  }
  return playbook.steps.flatMap((step) => targetOf(step, scope) ?? [])
}

/** Those that a machine which forwards the logs of others must not be among. */
export const cutOff = (targets: ApprovalTarget[]): string[] =>
  targets.filter(({ action }) => CUTS_OFF.has(action)).flatMap(({ target }) => target)

function targetOf(step: PlaybookStep, scope: Scope): ApprovalTarget | undefined {
  const name = TARGET_OF[step.action]
  if (name === undefined) return undefined
  try {
    const target = render(step.params[name], scope)
    const isPlain = typeof target === 'string' || (Array.isArray(target) && target.every(isText))
    return isPlain ? { step: step.id, action: step.action, target } : undefined
  } catch (error) {
    // Only what an earlier step finds can be missing here; the step itself says what else is.
    if (error instanceof AppError && error.status === 400) return undefined
    throw error
  }
}

const isText = (value: unknown) => typeof value === 'string'

/** The step's parameters with the target that was approved. */
export function withApprovedTarget(
  step: Pick<PlaybookStep, 'id' | 'action'>,
  params: Record<string, unknown>,
  targets: ApprovalTarget[],
): Record<string, unknown> {
  const approved = targets.find((target) => target.step === step.id)
  const name = TARGET_OF[step.action]
  return approved && name ? { ...params, [name]: approved.target } : params
}

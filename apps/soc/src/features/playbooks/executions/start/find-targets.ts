import { AppError } from '@manara/kit/errors'
import type { ApprovalTarget } from '@manara/soc-contract/approvals'
import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import type { ActionFunctions } from '../../actions/functions.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import type { Scope } from '../../domain/evaluate.ts'
import { inspectTemplates, isKnown, render } from '../../domain/template.ts'

export type TargetFunctions = Pick<ActionFunctions, 'readAlert' | 'readCase' | 'prevalenceOf'>

/** Which parameter of a step says whom it reaches. */
const TARGET_OF: Record<string, string> = {
  edr_isolate: 'endpoint',
  edr_unisolate: 'endpoint',
  edr_scan: 'endpoint',
  block_indicator: 'value',
}
const BLOCK = 'block_indicator'
const CUTS_OFF = new Set(['edr_isolate', BLOCK])
const MOST_LOOKED_UP = 20

/**
 * Whom a playbook will reach, found when it is asked for: it is what people approve, and what runs.
 */
export async function findTargets(
  functions: Pick<TargetFunctions, 'prevalenceOf'>,
  playbook: PlaybookRow,
  scope: Scope,
): Promise<ApprovalTarget[]> {
  const acting = playbook.is_critical
    ? playbook.steps
    : playbook.steps.filter(({ action }) => action === BLOCK)
  return Promise.all(
    targetsOf(acting, scope).map(async (one) =>
      one.action === BLOCK ? { ...one, seen: await seenOf(functions, [one.target].flat()) } : one,
    ),
  )
}

export const targetsOf = (steps: PlaybookStep[], scope: Scope): ApprovalTarget[] =>
  steps.flatMap((step) => targetOf(step, scope) ?? [])

/** Unknown, because the logs cannot be asked, or not all of them, is not harmless. */
function seenOf({ prevalenceOf }: Pick<TargetFunctions, 'prevalenceOf'>, values: string[]) {
  return Promise.all(
    values.map(async (value, place) => {
      const unknown = { value, hosts: null, days: null }
      if (place >= MOST_LOOKED_UP) return unknown
      try {
        const { hosts, days, partial } = await prevalenceOf(value)
        return partial && hosts <= 1 ? unknown : { value, hosts, days }
      } catch (error) {
        if (error instanceof AppError) return unknown
        throw error
      }
    }),
  )
}

/** What several hosts have may be what all of them need: blocking it is not for one person. */
export const needsApproval = (playbook: PlaybookRow, targets: ApprovalTarget[], scope: Scope) =>
  playbook.is_critical ||
  targets.some(({ seen = [] }) => seen.some(({ hosts }) => hosts === null || hosts > 1)) ||
  unknownBlocks(playbook, scope).length > 0

/** The steps that block what only the execution will find out: nobody can say who else has it. */
export const unknownBlocks = ({ steps }: PlaybookRow, scope: Scope): string[] =>
  steps
    .filter((step) => step.action === BLOCK && !targetOf(step, scope) && isFoundLater(step, scope))
    .map(({ id }) => id)

/** Parameters that were not given stay away, and so does an alert: then the step just fails. */
function isFoundLater({ params }: PlaybookStep, scope: Scope): boolean {
  const inspected = [...inspectTemplates(params[TARGET_OF[BLOCK] as string])]
  const roots = inspected.flatMap((one) => ('paths' in one ? one.paths.map(([root]) => root) : []))
  return roots.some((root) => root !== 'params' && (root !== 'alert' || scope.alert))
}

/** Those that a machine which forwards the logs of others must not be among. */
export const cutOff = (targets: ApprovalTarget[]): string[] =>
  targets.filter(({ action }) => CUTS_OFF.has(action)).flatMap(({ target }) => target)

function targetOf(step: PlaybookStep, scope: Scope): ApprovalTarget | undefined {
  const name = TARGET_OF[step.action]
  if (name === undefined || !isKnown(step.params[name], scope)) return undefined
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

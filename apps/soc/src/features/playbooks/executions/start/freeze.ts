import { AppError } from '@manara/kit/errors'
import type { ApprovalTarget } from '@manara/soc-contract/approvals'
import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import type { Kysely } from 'kysely'
import { seeingAll } from '../../../../core/access/reader.ts'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { FrozenContext } from '../../../../db/tables/response.ts'
import type { Tables } from '../../../../db/tables.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import type { Scope } from '../../domain/evaluate.ts'
import { isKnown, render } from '../../domain/template.ts'
import type { ExecutionRow } from '../execution-record.ts'
import { scopeOf } from '../execution-scope.ts'
import { lockExecution } from '../executions.store.ts'
import { targetsOf } from './find-targets.ts'

type Reading = Pick<ActionFunctions, 'readAlert' | 'readCase'>

/** The alert and the case as they are now: what is approved, and what runs then, is about these. */
export async function contextOf(
  { readAlert, readCase }: Reading,
  db: Kysely<Tables>,
  { alert_id, case_id }: { alert_id: string | null; case_id: string | null },
): Promise<FrozenContext> {
  return {
    alert: alert_id && (await readAlert(db, alert_id)),
    case: case_id && (await readCase(db, case_id)),
  }
}

/** The steps as people are shown them: what can be known is filled in, the rest stays a template. */
export const filledSteps = (steps: PlaybookStep[], scope: Scope): PlaybookStep[] =>
  steps.map((step) => ({
    ...step,
    params: fillKnown(step.params, scope) as PlaybookStep['params'],
  }))

function fillKnown(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string' && !isKnown(value, scope)) return value
  if (Array.isArray(value)) return value.map((item) => fillKnown(item, scope))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, fillKnown(part, scope)]),
    )
  }
  try {
    return render(value, scope)
  } catch (error) {
    if (error instanceof AppError) return value
    throw error
  }
}

type Rest = { steps: PlaybookStep[]; targets: ApprovalTarget[] } & Pick<
  ExecutionRow,
  'playbook_version' | 'approvers' | 'approver_ids'
>

/**
 * For a step that asks: what comes after it, and the execution held to what the alert and the case
 * say now, unless an earlier approval has done so.
 */
export async function freezeRest(
  functions: Reading,
  change: ChangeContext,
  executionId: string,
  stepId: string,
): Promise<Rest> {
  const { row, steps } = await seeingAll(() => lockExecution(change.tx, executionId))
  const scope = await scopeOf(functions, change.tx, row, steps)
  if (row.context === null) {
    const context = { alert: scope.alert, case: scope.case }
    await change.tx
      .updateTable('executions')
      .set({ context: JSON.stringify(context) })
      .where('id', '=', row.id)
      .execute()
  }
  const place = row.plan.findIndex(({ id }) => id === stepId)
  const rest = place < 0 ? [] : row.plan.slice(place + 1)
  const over = row.plan.slice(0, Math.max(0, place)).map(({ id }) => id)
  const known = { ...scope, steps: pick(scope.steps as Scope, over) }
  return {
    steps: filledSteps(rest, known),
    targets: targetsOf(rest, known),
    playbook_version: row.playbook_version,
    approvers: row.approvers,
    approver_ids: row.approver_ids,
  }
}

const pick = (scope: Scope, names: string[]): Scope =>
  Object.fromEntries(names.map((name) => [name, scope[name]]))

import { AppError } from '@manara/kit/errors'
import { sql } from 'kysely'
import { actionNamed, type JsonObject } from '../../actions/action.ts'
import { evaluate, isTrue, type Scope } from '../../domain/evaluate.ts'
import { parseExpression } from '../../domain/expression.ts'
import { render } from '../../domain/template.ts'
import { type ExecutionRow, plannedStep, type StepRow } from '../execution-record.ts'
import { scopeOf } from '../execution-scope.ts'
import { failureOf, outcomeUnknown } from '../failure.ts'
import {
  type Engine,
  type Held,
  isSimulated,
  type Progress,
  type Task,
  type UnderWay,
} from '../own-execution.ts'
import { recordStep, tellExecution } from '../record-execution.ts'
import { withApprovedTarget } from '../start/find-targets.ts'
import { attemptInside } from './attempt-inside.ts'
import { attemptOutside } from './attempt-outside.ts'
import { fillCall, rehearsedCall } from './fill-call.ts'
import { completeStep, failStep } from './settle-step.ts'

/** Begins a step, begins it again after a crash, or goes on with one that waits. */
export async function beginStep(
  engine: Engine,
  execution: UnderWay,
  found: Held,
  step: StepRow,
): Promise<Task | Progress> {
  const held = found.row.started_at ? found : { ...found, row: await begin(found) }
  const { change, row } = held
  try {
    const scope = await scopeOf(engine.functions, change.tx, row, held.steps)
    const { when, params: template } = plannedStep(row, step)
    const isBegun = step.status !== 'pending'
    if (!isBegun && !holds(when, scope)) {
      await recordStep(change, step, { status: 'skipped', ends: true })
      return 'on'
    }
    const action = actionNamed(engine.actions, step.action)
    const simulated = isSimulated(engine, row, action)
    if (isBegun && action.effect === 'acts' && !simulated && !execution.begun.has(step.position)) {
      return failStep(engine, held, step, outcomeUnknown('the service ended while it ran'))
    }
    // What reaches outside is filled in anew, as secrets have to be, and recorded as it is sent.
    const isKept = isBegun && action.effect !== 'acts'
    const input =
      (isKept && step.input) ||
      withApprovedTarget(step, render(template, scope) as JsonObject, row.targets)
    const isRehearsed = simulated && action.effect !== 'reads'
    const call = isRehearsed
      ? rehearsedCall(action, input)
      : await fillCall(engine, change.tx, { action, input, template, scope })
    if (!isBegun) {
      execution.begun.add(step.position)
      await recordStep(change, step, { status: 'running', begins: true, input })
    } else if (!isKept) {
      await recordStep(change, step, { status: 'running', input })
    }
    if (isRehearsed) {
      return completeStep(held, step, action.simulate(call.params), { simulated })
    }
    return action.effect === 'records' || action.effect === 'waits'
      ? () => attemptInside(engine, execution, step, action, call.params)
      : () => attemptOutside(engine, execution, row, step, action, call)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failStep(engine, held, step, failureOf(error, false))
  }
}

/** A step without a condition is always wanted. */
const holds = (when: string | null, scope: Scope) =>
  when === null || isTrue(evaluate(parseExpression(when), scope))

/** The time limit counts from here. */
async function begin({ change, row }: Held): Promise<ExecutionRow> {
  const begun = await change.tx
    .updateTable('executions')
    .set({
      status: 'running',
      started_at: sql`clock_timestamp()`,
      deadline: sql`clock_timestamp() + timeout_s * interval '1 second'`,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!row.dry_run) {
    await change.tx
      .updateTable('playbooks')
      .set({ run_count: sql`run_count + 1`, last_run_at: sql`now()` })
      .where('id', '=', row.playbook_id)
      .execute()
  }
  await tellExecution(change, row.id, 'execution.started')
  return begun
}

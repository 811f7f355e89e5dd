import { AppError } from '@manara/kit/errors'
import { seeingAll } from '../../../../core/access/reader.ts'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import {
  type Action,
  type ActionCall,
  type Actions,
  actionNamed,
  type JsonObject,
  type Run,
} from '../../actions/action.ts'
import { render } from '../../domain/template.ts'
import { type ExecutionRow, isOrdered, plannedStep, type StepRow } from '../execution-record.ts'
import { scopeOf } from '../execution-scope.ts'
import { failureOf, outcomeUnknown } from '../failure.ts'
import {
  attemptOnOwn,
  type Engine,
  type Held,
  onOwn,
  onOwnInTheEnd,
  type Progress,
  runOf,
  type Task,
  type UnderWay,
} from '../own-execution.ts'
import { endExecution, recordStep, setExecution, tellExecution } from '../record-execution.ts'
import { type FilledCall, fillCall } from '../step/fill-call.ts'
import { performCall } from '../step/perform-call.ts'

/** Rehearsed steps changed nothing; some actions have no way back, and a step may refuse its own. */
export function canBeUndone(
  { actions }: { actions: Actions },
  row: ExecutionRow,
  step: StepRow,
): boolean {
  return wayBackOf(actions, row, step) !== null
}

export function wayBackOf(actions: Actions, row: ExecutionRow, step: StepRow): ActionCall | null {
  if (step.is_simulated) return null
  const isDone = step.status === 'completed' || (step.status === 'cancelled' && isOrdered(step))
  return isDone ? undoOf(actions, row, step) : null
}

function undoOf(actions: Actions, row: ExecutionRow, step: StepRow): ActionCall | null {
  const { undo } = plannedStep(row, step)
  if (undo === 'none') return null
  if (undo !== null) return undo
  const action = Object.hasOwn(actions, step.action) ? actions[step.action] : undefined
  if (!action || action.effect === 'reads' || !action.undo) return null
  const params = action.params.safeParse(step.input)
  return params.success ? action.undo(params.data as never, step.output ?? {}) : null
}

/** Recorded before it is done, like the step itself. */
export async function beginUndo(
  engine: Engine,
  execution: UnderWay,
  held: Held,
  step: StepRow,
): Promise<Task | Progress> {
  const { change, row, steps } = held
  const call = undoOf(engine.actions, row, step) as ActionCall
  try {
    const scope = await scopeOf(engine.functions, change.tx, row, steps)
    const action = actionNamed(engine.actions, call.action)
    // An action's own way back is made of values: what looks like a template there is text.
    const template = plannedStep(row, step).undo === null ? {} : call.params
    const input = { ...call.params, ...(render(template, scope) as JsonObject) }
    const filled = await fillCall(engine, change.tx, { action, input, template, scope })
    execution.begun.add(step.position)
    await recordStep(change, step, { status: 'undoing' })
    return () => undo(engine, execution, row, step, action, filled)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await recordStep(change, step, { status: 'undo_failed', error: error.message })
    return 'on'
  }
}

/** Begun and not recorded as over: what reached outside is not done twice, the rest is. */
export async function recoverUndo(
  engine: Engine,
  execution: UnderWay,
  held: Held,
  step: StepRow,
): Promise<Task | Progress> {
  const call = undoOf(engine.actions, held.row, step)
  const isNotDone = execution.begun.has(step.position)
  if (call && (isNotDone || engine.actions[call.action]?.effect !== 'acts')) {
    return beginUndo(engine, execution, held, step)
  }
  const { error } = outcomeUnknown('the service ended while it was taken back')
  await recordStep(held.change, step, { status: 'undo_failed', error })
  return 'on'
}

async function undo(
  engine: Engine,
  execution: UnderWay,
  row: ExecutionRow,
  step: StepRow,
  action: Action,
  filled: FilledCall,
): Promise<Progress> {
  const run = runOf(row, step, execution.signal, true)
  if (action.effect === 'acts' || action.effect === 'reads') {
    if (!engine.mode.actsOutside) {
      return record(engine, execution, step, `not done in ${engine.mode.name} mode`)
    }
    const { timeout_s } = plannedStep(row, step)
    execution.begun.delete(step.position)
    const outcome = await performCall(action, filled, run, timeout_s * 1_000)
    if ('brokenOff' in outcome) return 'over'
    return record(engine, execution, step, 'output' in outcome ? null : outcome.failure.error)
  }
  const tried = await attemptOnOwn(engine, execution, async (held): Promise<Progress> => {
    if (action.effect === 'waits') {
      const until = await lookAfter(held, step, action, filled.params, run)
      if (until) return park(held, until)
    } else await action.run(held.change, filled.params, run)
    await recordUndo(held.change, row, step, null)
    return 'on'
  })
  if ('value' in tried) return tried.value
  const { thrown } = tried
  if (!(thrown instanceof AppError) || thrown.retryAfter === undefined) {
    return record(engine, execution, step, failureOf(thrown, false).error)
  }
  // What it takes back is still on its way: it is not forgotten because it comes too early.
  const until = new Date(engine.now().getTime() + thrown.retryAfter * 1_000)
  return onOwn(engine, execution, async (held) => {
    const error = `${thrown.message}; it is tried again`
    await recordStep(held.change, step, { status: 'undoing', error })
    return park(held, until)
  })
}

/** Begun once, and taken back when it has come about; until when it waits for that, if it does. */
async function lookAfter(
  { change, steps }: Held,
  step: StepRow,
  action: Extract<Action, { effect: 'waits' }>,
  params: never,
  run: Run,
): Promise<Date | undefined> {
  const output = steps[step.position]?.output ?? {}
  const keep = (undo: object) =>
    recordStep(change, step, { status: 'undoing', output: { ...output, undo } })
  if (!output.undo) {
    const { until, note } = await action.begin(change, params, run)
    await keep(note)
    return until
  }
  const note = output.undo as JsonObject
  const resumed = await seeingAll(() => action.resume(change, params, note, run))
  if ('until' in resumed) return resumed.until
  await keep(resumed.output)
}

async function park({ change, row }: Held, resumeAt: Date): Promise<'over'> {
  await setExecution(change, row.id, { resumeAt })
  return 'over'
}

const record = (engine: Engine, execution: UnderWay, step: StepRow, error: string | null) =>
  onOwnInTheEnd(engine, execution, async ({ change, row, steps }): Promise<Progress> => {
    // The answer to an earlier try was lost, but not the try.
    if (steps[step.position]?.status === 'undoing') await recordUndo(change, row, step, error)
    return 'on'
  })

async function recordUndo(
  change: ChangeContext,
  row: ExecutionRow,
  step: StepRow,
  error: string | null,
) {
  const status = error === null ? 'undone' : 'undo_failed'
  await recordStep(change, step, { status, error })
  await change.audit({
    action: `playbook.undo_${step.action}`,
    target: `execution:${row.id}`,
    after: { step: step.id, status, requested_by: row.requested_by },
  })
}

/** What could not be taken back is named; the execution ends as what made it turn back. */
export async function finishRollback(
  { functions }: Engine,
  { change, row, steps }: Held,
): Promise<void> {
  const failed = steps.filter(({ status }) => status === 'undo_failed').map(({ id }) => id)
  const why = failed.length > 0 ? `not taken back: ${failed.join(', ')}` : null
  const error = [row.error, why].filter((part) => part !== null).join('; ') || null
  await change.tx
    .updateTable('executions')
    .set({ rollback: why ? 'failed' : 'completed', error, owner: null, lease_until: null })
    .where('id', '=', row.id)
    .execute()
  if (row.ends_as) await endExecution(functions, change, row, steps, { as: row.ends_as, error })
  await tellExecution(change, row.id, 'execution.rolled_back')
}

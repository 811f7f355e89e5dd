import { setTimeout as pause } from 'node:timers/promises'
import { isAway } from '../../../../core/mode/is-away.ts'
import { nextMove } from '../../domain/next-move.ts'
import type { StepRow } from '../execution-record.ts'
import { INTERNAL, outcomeUnknown } from '../failure.ts'
import {
  type Engine,
  type Held,
  LOST,
  onOwn,
  type Progress,
  RETRY_MS,
  type Task,
  type UnderWay,
} from '../own-execution.ts'
import { endExecution, recordStep, setExecution } from '../record-execution.ts'
import { beginUndo, canBeUndone, finishRollback, recoverUndo } from '../undo/undo-step.ts'
import { beginStep } from './begin-step.ts'

/** Goes on until the execution is over, parked, taken over or broken off. */
export async function runSteps(engine: Engine, execution: UnderWay): Promise<void> {
  let progress: Progress = 'on'
  while (progress === 'on' && !isBrokenOff(execution)) {
    try {
      const next = await move(engine, execution)
      progress = typeof next === 'string' ? next : await next()
    } catch (error) {
      if (error === LOST) return
      if (!isAway(error)) return giveUp(engine, execution, error)
      // What is stored says where to go on once the database is back.
      await pause(RETRY_MS, undefined, { ref: false })
    }
  }
}

/** A bug: said, so that it is not met again and again by whoever takes the execution over. */
async function giveUp(engine: Engine, execution: UnderWay, error: unknown): Promise<void> {
  engine.log.error({ err: error, execution: execution.id }, 'an execution failed')
  await onOwn(engine, execution, async ({ change, row, steps }) => {
    for (const step of steps.filter(({ status }) => status === 'running')) {
      await recordStep(change, step, { status: 'failed', error: INTERNAL, ends: true })
    }
    await change.tx
      .updateTable('executions')
      .set({ rollback: 'failed' })
      .where('id', '=', row.id)
      .where('rollback', '=', 'pending')
      .execute()
    await endExecution(engine.functions, change, row, steps, { as: 'failed', error: INTERNAL })
  })
}

/** A cancel is still to be recorded; an execution that is lost, or a service that ends, is not. */
const isBrokenOff = ({ signal, isStopping }: UnderWay) =>
  isStopping() || (signal.aborted && signal.reason !== 'cancelled')

function move(engine: Engine, execution: UnderWay): Promise<Task | Progress> {
  return onOwn(engine, execution, async (held) => {
    const { row, steps } = held
    const next = nextMove({
      status: row.status,
      rollback: row.rollback,
      isCancelled: row.cancel_requested_by !== null,
      isOverdue: row.deadline !== null && row.deadline <= engine.now(),
      steps,
      canBeUndone: (position) => canBeUndone(engine, row, steps[position] as StepRow),
    })
    if (!('position' in next)) return finish(engine, held, next.kind)
    const step = steps[next.position] as StepRow
    if (next.kind === 'undo') return beginUndo(engine, execution, held, step)
    if (next.kind === 'recover-undo') return recoverUndo(engine, execution, held, step)
    return beginStep(engine, execution, held, step)
  })
}

type Ending = 'nothing' | 'cancel' | 'time-out' | 'complete' | 'finish-rollback'

async function finish(engine: Engine, held: Held, how: Ending): Promise<'over'> {
  const { change, row, steps } = held
  const end = (ending: Parameters<typeof endExecution>[4]) =>
    endExecution(engine.functions, change, row, steps, ending)
  if (how === 'nothing') await setExecution(change, row.id, { resumeAt: engine.now() })
  if (how === 'finish-rollback') await finishRollback(engine, held)
  if (how === 'complete') await end({ as: 'completed' })
  if (how === 'time-out') await end({ as: 'timed_out', error: `not over after ${row.timeout_s} s` })
  if (how === 'cancel') {
    for (const step of steps.filter(({ status }) => status === 'running')) {
      const { error } = outcomeUnknown('cancelled')
      await recordStep(change, step, { status: 'cancelled', error, ends: true })
    }
    await end({ as: 'cancelled', error: `cancelled by ${row.cancel_requested_by}` })
  }
  return 'over'
}

import type { Action } from '../../actions/action.ts'
import { type ExecutionRow, plannedStep, type StepRow } from '../execution-record.ts'
import {
  type Engine,
  onOwnInTheEnd,
  type Progress,
  runOf,
  type UnderWay,
} from '../own-execution.ts'
import type { FilledCall } from './fill-call.ts'
import { type Outcome, performCall } from './perform-call.ts'
import { completeStep, failStep } from './settle-step.ts'

/** Reads or acts, then records what came of it. */
export async function attemptOutside(
  engine: Engine,
  execution: UnderWay,
  row: ExecutionRow,
  step: StepRow,
  action: Extract<Action, { effect: 'acts' | 'reads' }>,
  call: FilledCall,
): Promise<Progress> {
  const { timeout_s } = plannedStep(row, step)
  const left = row.deadline ? row.deadline.getTime() - engine.now().getTime() : Infinity
  const limitMs = Math.max(1, Math.min(timeout_s * 1_000, left))
  execution.begun.delete(step.position)
  const outcome = await performCall(action, call, runOf(row, step, execution.signal), limitMs)
  if ('brokenOff' in outcome) return 'over'
  return settle(engine, execution, step.position, outcome)
}

const settle = (
  engine: Engine,
  execution: UnderWay,
  position: number,
  outcome: Exclude<Outcome, { brokenOff: string }>,
): Promise<Progress> =>
  onOwnInTheEnd(engine, execution, async (held) => {
    const step = held.steps[position] as StepRow
    // The answer to an earlier try was lost, but not the try.
    if (step.status !== 'running') return 'on'
    return 'output' in outcome
      ? completeStep(held, step, outcome.output)
      : failStep(engine, held, step, outcome.failure)
  })

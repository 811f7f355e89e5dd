import { sql } from 'kysely'
import { seeingAll } from '../../../../core/access/reader.ts'
import type { Action } from '../../actions/action.ts'
import { plannedStep, type StepRow } from '../execution-record.ts'
import { failureOf, INTERNAL } from '../failure.ts'
import {
  attemptOnOwn,
  type Engine,
  type Held,
  onOwn,
  type Progress,
  runOf,
  type UnderWay,
} from '../own-execution.ts'
import { completeStep, failStep, parkStep } from './settle-step.ts'

type Inside = Extract<Action, { effect: 'records' | 'waits' }>

/** The action and the record of it are one transaction: after a crash there are both or neither. */
export async function attemptInside(
  engine: Engine,
  execution: UnderWay,
  { position }: StepRow,
  action: Inside,
  params: never,
): Promise<Progress> {
  let isResumed = false
  const tried = await attemptOnOwn(engine, execution, async (held) => {
    const step = held.steps[position] as StepRow
    isResumed = step.status === 'waiting'
    await limitTime(held, step)
    return attempt(execution, held, step, action, params)
  })
  if ('value' in tried) return tried.value
  const failure = failureOf(tried.thrown, false)
  if (failure.error === INTERNAL) engine.log.error({ err: tried.thrown }, 'a step failed')
  // What was waited for has an answer: asking again would be another question.
  const isRepeatable = failure.isRepeatable && !isResumed
  return onOwn(engine, execution, (held) =>
    failStep(engine, held, held.steps[position] as StepRow, { ...failure, isRepeatable }),
  )
}

async function attempt(
  execution: UnderWay,
  held: Held,
  step: StepRow,
  action: Inside,
  params: never,
): Promise<Progress> {
  const { change, row } = held
  const run = runOf(row, step, execution.signal)
  if (action.effect === 'records') {
    const output = await action.run(change, params, run)
    return completeStep(held, step, output, { caseId: action.caseOf?.(output) })
  }
  if (step.status !== 'waiting') {
    return parkStep(held, step, await action.begin(change, params, run))
  }
  // What is waited for is the execution's own, whoever may read its case by now.
  const resumed = await seeingAll(() => action.resume(change, params, step.output ?? {}, run))
  return 'output' in resumed
    ? completeStep(held, step, resumed.output)
    : parkStep(held, step, resumed)
}

async function limitTime({ change, row }: Held, step: StepRow) {
  const { timeout_s } = plannedStep(row, step)
  await sql`SELECT set_config('statement_timeout', ${String(timeout_s * 1_000)}, true)`.execute(
    change.tx,
  )
}

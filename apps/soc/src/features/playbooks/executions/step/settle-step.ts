import type { ExecutionStatus } from '@manara/soc-contract/playbooks'
import { storable } from '@manara/soc-contract/storable'
import type { JsonObject, Parked } from '../../actions/action.ts'
import { backoffMs } from '../../domain/backoff.ts'
import { countTry } from '../../domain/count-try.ts'
import { plannedStep, type StepRow } from '../execution-record.ts'
import type { Failure } from '../failure.ts'
import type { Engine, Held, Progress } from '../own-execution.ts'
import { endExecution, recordStep, setExecution } from '../record-execution.ts'

export async function completeStep(
  { change, row }: Held,
  step: StepRow,
  output: JsonObject,
  { simulated = false, caseId }: { simulated?: boolean; caseId?: string | undefined } = {},
): Promise<Progress> {
  await recordStep(change, step, {
    status: 'completed',
    output,
    error: null,
    isSimulated: simulated,
    ends: true,
  })
  await change.audit({
    action: `playbook.${step.action}`,
    target: `execution:${row.id}`,
    after: { step: step.id, simulated, requested_by: row.requested_by },
  })
  await setExecution(change, row.id, {
    status: 'running',
    ...(caseId !== undefined && row.case_id === null ? { caseId } : {}),
  })
  return 'on'
}

/** Nobody's until then: no process and no connection waits with it. */
export async function parkStep(
  { change, row }: Held,
  step: StepRow,
  { until, note, approvalId }: Partial<Parked> & Pick<Parked, 'until'>,
): Promise<'over'> {
  const { deadline } = row
  await recordStep(change, step, { status: 'waiting', ...(note ? { output: note } : {}) })
  await setExecution(change, row.id, {
    resumeAt: deadline && deadline < until ? deadline : until,
    ...(approvalId === undefined ? {} : { status: 'pending_approval' }),
  })
  return 'over'
}

/** Once more if that is harmless and wanted; else as the step's `on_failure` says. */
export async function failStep(
  engine: Engine,
  { change, row, steps }: Held,
  step: StepRow,
  { status, error, isRepeatable }: Failure,
): Promise<Progress> {
  const { retries, on_failure } = plannedStep(row, step)
  const { attempts, isTriedAgain } = countTry(step, { retries, isRepeatable })
  if (isTriedAgain) {
    await recordStep(change, step, { status: 'pending', error, attempts })
    const resumeAt = new Date(engine.now().getTime() + backoffMs(attempts))
    await setExecution(change, row.id, { resumeAt })
    return 'over'
  }
  await recordStep(change, step, { status, error, attempts, ends: true })
  if (status === 'cancelled' || on_failure === 'continue') {
    await setExecution(change, row.id, { status: 'running' })
    return 'on'
  }
  const as: ExecutionStatus = status === 'timed_out' ? 'timed_out' : 'failed'
  const ending = { as, error: `${step.id}: ${error}` }
  if (on_failure === 'rollback') {
    await change.tx
      .updateTable('executions')
      .set({
        ...{ status: 'running', rollback: 'pending', ends_as: as, error: storable(ending.error) },
        // The cancel was for the steps: it does not break off what takes them back.
        cancel_requested_by: null,
      })
      .where('id', '=', row.id)
      .execute()
    if (row.cancel_requested_by === null) return 'on'
    // Here it may have been heard of already: taken up anew, it is not.
    await setExecution(change, row.id, { resumeAt: engine.now() })
    return 'over'
  }
  await endExecution(engine.functions, change, row, steps, ending)
  return 'over'
}

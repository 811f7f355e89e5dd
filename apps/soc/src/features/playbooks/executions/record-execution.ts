import type { ExecutionStatus } from '@manara/soc-contract/playbooks'
import { storable } from '@manara/soc-contract/storable'
import { sql } from 'kysely'
import { seeingAll } from '../../../core/access/reader.ts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { storableJson } from '../../../db/storable.ts'
import type { JsonObject } from '../actions/action.ts'
import type { ActionFunctions } from '../actions/functions.ts'
import { addNamed } from './cases-named.ts'
import {
  type ExecutionRow,
  isOrdered,
  type StepRow,
  toldOf,
  withoutSteps,
} from './execution-record.ts'
import { lockExecution } from './executions.store.ts'

type StepFields = {
  status: StepRow['status']
  input?: JsonObject
  output?: JsonObject | null
  error?: string | null
  isSimulated?: boolean
  attempts?: number
  /** Begins now, one attempt more. */
  begins?: true
  /** Over for now, or never begun. */
  ends?: true
}

const OWN = sql`FROM executions WHERE executions.id = execution_id`

/** Writes a step and tells listeners how far the execution is. */
export async function recordStep(
  change: ChangeContext,
  { execution_id, position, id }: StepRow,
  { input, output, error, attempts, begins, ends, isSimulated, status }: StepFields,
): Promise<void> {
  await addNamed(change, execution_id, input, output)
  // With the cases, by which listeners who may not read one of them are left out.
  const about = await change.tx
    .updateTable('execution_steps')
    .set({
      status,
      ...(input === undefined ? {} : { input: storableJson(input) }),
      ...(output === undefined ? {} : { output: storableJson(output) }),
      ...(error === undefined ? {} : { error: error && storable(error) }),
      ...(isSimulated === undefined ? {} : { is_simulated: isSimulated }),
      ...(attempts === undefined ? {} : { attempts }),
      ...(begins ? { started_at: sql`clock_timestamp()`, attempts: sql`attempts + 1` } : {}),
      ...(ends ? { completed_at: sql`clock_timestamp()` } : {}),
    })
    .where('execution_id', '=', execution_id)
    .where('position', '=', position)
    .returning([
      sql<string | null>`(SELECT case_id ${OWN})`.as('case_id'),
      sql<string[]>`(SELECT cases_named ${OWN})`.as('cases_named'),
    ])
    .executeTakeFirstOrThrow()
  await change.publish('execution.step', { id: execution_id, ...about, step: { id, status } })
}

/**
 * Between steps; a parked one belongs to nobody until `resumeAt`. One that was cancelled as it came
 * to that waits for nothing: nobody else is told of the cancel.
 */
export async function setExecution(
  { tx }: ChangeContext,
  id: string,
  fields: { status?: ExecutionStatus; resumeAt?: Date; caseId?: string },
): Promise<void> {
  const { status, resumeAt, caseId } = fields
  await tx
    .updateTable('executions')
    .set({
      ...(status ? { status } : {}),
      ...(resumeAt ? { resume_at: unlessCancelled(resumeAt), owner: null, lease_until: null } : {}),
      ...(caseId ? { case_id: caseId } : {}),
    })
    .where('id', '=', id)
    .execute()
}

/** What takes steps back is not broken off by a cancel, and waits. */
const unlessCancelled = (resumeAt: Date) => sql<Date>`
  CASE WHEN cancel_requested_by IS NOT NULL AND rollback <> 'pending'
    THEN least(now(), ${resumeAt}::timestamptz) ELSE ${resumeAt} END`

const STANDS = 'was ordered already, and nobody waits for it any more: it may still be done'

/**
 * Steps that did not come to their turn are skipped, or cancelled with the rest; so is one that
 * waits, which says it when what it ordered stands.
 */
export async function endExecution(
  { withdrawApproval }: Pick<ActionFunctions, 'withdrawApproval'>,
  change: ChangeContext,
  row: ExecutionRow,
  steps: StepRow[],
  { as, error = null }: { as: ExecutionStatus; error?: string | null },
): Promise<void> {
  for (const step of steps.filter(({ status }) => status === 'waiting')) {
    const waitsFor = step.output?.approval_id
    if (typeof waitsFor === 'string') await seeingAll(() => withdrawApproval(change, waitsFor))
    if (isOrdered(step)) {
      await recordStep(change, step, { status: 'cancelled', error: STANDS, ends: true })
    }
  }
  await change.tx
    .updateTable('execution_steps')
    .set({ status: as === 'cancelled' ? 'cancelled' : 'skipped' })
    .where('execution_id', '=', row.id)
    .where('status', 'in', ['pending', 'waiting'])
    .execute()
  await change.tx
    .updateTable('executions')
    .set({
      status: as,
      error: error && storable(error),
      ends_as: null,
      completed_at: sql`clock_timestamp()`,
      owner: null,
      lease_until: null,
    })
    .where('id', '=', row.id)
    .execute()
  if (!row.dry_run && row.started_at) await countRun(change, row, as)
  await tellExecution(change, row.id, `execution.${as}`)
}

async function countRun({ tx }: ChangeContext, row: ExecutionRow, as: ExecutionStatus) {
  await tx
    .updateTable('playbooks')
    .set({
      finished_count: sql`finished_count + 1`,
      success_count: sql`success_count + ${as === 'completed' ? 1 : 0}`,
    })
    .where('id', '=', row.playbook_id)
    .execute()
}

/** As it is now, to the audit log and to listeners; also of a case hidden from its requester. */
export async function tellExecution(
  change: ChangeContext,
  id: string,
  event: `execution.${string}`,
): Promise<void> {
  const { row, steps } = await seeingAll(() => lockExecution(change.tx, id))
  const summary = withoutSteps(row, steps)
  await change.audit({ action: event, target: `execution:${id}`, after: summary })
  await change.publish(event, toldOf(row, steps))
}

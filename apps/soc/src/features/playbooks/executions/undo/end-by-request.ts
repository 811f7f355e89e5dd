import { conflict, forbidden } from '@manara/kit/errors'
import type { Execution, ExecutionStatus, RollbackStatus } from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { ActionCall, Actions } from '../../actions/action.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import { executionById, lockExecution } from '../executions.store.ts'
import { endExecution } from '../record-execution.ts'
import { wayBackOf } from './undo-step.ts'

const isLive = (status: ExecutionStatus) => /^(pending|running|pending_approval)$/.test(status)

/** At once when nothing of it runs; else its process breaks off the step that does. */
export async function cancelExecution(
  functions: Pick<ActionFunctions, 'withdrawApproval'>,
  change: ChangeContext,
  id: string,
): Promise<Execution> {
  const { row, steps } = await lockExecution(change.tx, id)
  if (!isLive(row.status)) throw conflict(`execution ${row.id} is already ${row.status}`)
  if (row.rollback === 'pending') throw conflict(`execution ${row.id} is being rolled back`)
  const { username } = change.principal
  await change.audit({ action: 'execution.cancel', target: `execution:${row.id}` })
  if (row.owner === null) {
    if (row.approval_id) await functions.withdrawApproval(change, row.approval_id)
    const ending = { as: 'cancelled', error: `cancelled by ${username}` } as const
    await endExecution(functions, change, row, steps, ending)
  } else {
    await change.tx
      .updateTable('executions')
      .set({ cancel_requested_by: username })
      .where('id', '=', row.id)
      .execute()
  }
  return executionById(change.tx, row.id)
}

const ROLLED_BACK: Record<Exclude<RollbackStatus, 'none'>, string> = {
  pending: 'is being rolled back',
  completed: 'has been rolled back already',
  failed: 'was rolled back in part: its steps say what has to be taken back by hand',
}

/** Takes back, last step first, whatever has a way back. */
export async function requestRollback(
  actions: Actions,
  change: ChangeContext,
  id: string,
): Promise<Execution> {
  const { row, steps } = await lockExecution(change.tx, id)
  if (isLive(row.status)) throw conflict(`execution ${row.id} is ${row.status}: cancel it first`)
  if (row.rollback !== 'none') throw conflict(`execution ${row.id} ${ROLLED_BACK[row.rollback]}`)
  const calls = steps.flatMap((step) => wayBackOf(actions, row, step) ?? [])
  if (calls.length === 0) {
    throw conflict(`execution ${row.id} did nothing that could be taken back`)
  }
  refuseDeletion(change, calls)
  await change.audit({ action: 'execution.rollback', target: `execution:${row.id}` })
  await change.tx
    .updateTable('executions')
    // The cancel was for the steps: it does not break off what takes them back.
    .set({ rollback: 'pending', resume_at: sql`now()`, cancel_requested_by: null })
    .where('id', '=', row.id)
    .execute()
  return executionById(change.tx, row.id)
}

/** Nobody gains the right to delete cases by way of a rollback. */
function refuseDeletion({ principal }: ChangeContext, calls: ActionCall[]) {
  const isDeleting = calls.some(({ action }) => action === 'delete_case')
  if (isDeleting && !principal.permissions.has('cases:delete')) throw forbidden('cases:delete')
}

import type { Approval } from '@manara/soc-contract/approvals'
import type { ExecutionStatus } from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import { seeingAll } from '../../../../core/access/reader.ts'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import { lockExecution } from '../executions.store.ts'
import { endExecution } from '../record-execution.ts'

/**
 * What waited for a decision goes on with it: a step looks by itself; a whole execution that a
 * trigger began starts, or is over before it began.
 */
export async function onDecided(
  functions: Pick<ActionFunctions, 'useApproval' | 'withdrawApproval'>,
  change: ChangeContext,
  approval: Approval,
): Promise<void> {
  if (approval.execution_id === null) return
  if (approval.kind === 'step') return wakeStep(change, approval.execution_id)
  const { execution_id } = approval
  // Who may decide goes by the approval.
  const { row, steps } = await seeingAll(() => lockExecution(change.tx, execution_id))
  if (row.status !== 'pending_approval') return
  if (approval.status !== 'approved') {
    return endExecution(functions, change, row, steps, endingOf(approval))
  }
  await functions.useApproval(change, approval.id)
  await change.tx
    .updateTable('executions')
    .set({ status: 'pending', resume_at: sql`now()` })
    .where('id', '=', row.id)
    .execute()
}

// Whoever holds the execution now is about to look at this approval, or to end without it.
async function wakeStep({ tx }: ChangeContext, executionId: string) {
  await tx
    .updateTable('executions')
    .set({ resume_at: sql`now()` })
    .where('id', 'in', (waiting) =>
      waiting
        .selectFrom('executions')
        .select('id')
        .where('id', '=', executionId)
        .where(sql<boolean>`(status = 'pending_approval' OR rollback = 'pending')`)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

function endingOf(approval: Approval): { as: ExecutionStatus; error: string } {
  if (approval.status === 'timeout') return { as: 'timed_out', error: 'nobody decided in time' }
  const because = approval.reason ? `: ${approval.reason}` : ''
  return { as: 'cancelled', error: `rejected by ${approval.decided_by}${because}` }
}

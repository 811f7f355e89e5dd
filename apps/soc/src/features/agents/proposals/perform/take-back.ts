import { conflict } from '@manara/kit/errors'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { ProposalFunctions } from '../functions.ts'
import type { ProposalRow } from '../proposal-record.ts'

/** What was written down when it was done: of its kind, the fields that kind has. */
type Done = Record<'case_id' | 'alert_id' | 'rule_id' | 'suppression_id' | 'execution_id', string> &
  Record<'task_ids' | 'indicator_ids', string[]> &
  Partial<Record<'is_new' | 'has_effect', boolean>>

/** The way back of what an accepted proposal did; 409 says why there is none any more. */
export async function takeBack(
  functions: ProposalFunctions,
  change: ChangeContext,
  { id, action, result }: ProposalRow,
): Promise<void> {
  const done = result as Done
  switch (action.kind) {
    case 'open_case':
      return removeCase(functions, change, done.case_id)
    case 'disable_account':
      return cancelTasks(functions, change, done.case_id, done.task_ids)
    case 'link_alerts':
      return functions.releaseAlerts(change, action.case_id, action.alert_ids)
    case 'merge_cases':
      await functions.unmergeCases(change, action.case_id, action.case_ids)
      return
    case 'add_tasks':
      return cancelTasks(functions, change, action.case_id, done.task_ids)
    case 'raise_alert':
      if (done.is_new === false) {
        throw conflict(
          `alert ${done.alert_id} was there before: close the alert itself if it must be`,
        )
      }
      await functions.updateAlert(change, done.alert_id, {
        status: 'closed',
        resolution: 'raised by mistake: the proposal was undone',
      })
      return
    case 'suppress': {
      const { rule_id, suppression_id } = done
      await functions.deleteSuppression(change, { rule_id, suppression_id })
      return
    }
    case 'add_indicators':
      return functions.unblockIndicators(change, done.indicator_ids)
    case 'endpoint_action': {
      if (action.command === 'scan') throw conflict('a scan cannot be taken back')
      if (done.has_effect === false) {
        throw conflict('the endpoint was isolated before: release it itself if it must be')
      }
      const reason = 'the proposal that isolated it was undone'
      await functions.requestEndpointAction(change, {
        ...{ endpoint: action.endpoint_id, command: 'unisolate', reason },
        ...{ requestKey: `undo:${id}`, isWayBack: true },
      })
      return
    }
    case 'execute_playbook':
      await functions.rollBack(change, done.execution_id)
  }
}

async function removeCase(functions: ProposalFunctions, change: ChangeContext, caseId: string) {
  const { evidence } = await functions.readCase(change, caseId)
  if (evidence.length > 0) {
    throw conflict(`case ${caseId} has evidence: delete the case itself if it must go`)
  }
  await functions.deleteCase(change, caseId)
}

async function cancelTasks(
  functions: ProposalFunctions,
  change: ChangeContext,
  case_id: string,
  taskIds: string[],
) {
  for (const task_id of taskIds) {
    await functions.updateTask(change, { case_id, task_id }, { status: 'cancelled' })
  }
}

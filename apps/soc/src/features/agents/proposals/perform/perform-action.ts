import { AlertCreate } from '@manara/soc-contract/alerts'
import type { ProposedAction } from '@manara/soc-contract/proposals'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { ProposalFunctions } from '../functions.ts'
import type { ProposalRow } from '../proposal-record.ts'

type Result = Record<string, unknown>

/** Does what was proposed, as part of the decision; answers what the way back needs to know. */
export async function performAction(
  functions: ProposalFunctions,
  change: ChangeContext,
  { id, action, title, rationale, result }: ProposalRow,
): Promise<Result> {
  switch (action.kind) {
    case 'open_case':
      return openCase(functions, change, action)
    case 'link_alerts':
      for (const alertId of action.alert_ids) {
        await functions.linkAlert(change, alertId, action.case_id)
      }
      return { case_id: action.case_id, alert_ids: action.alert_ids }
    case 'merge_cases':
      await functions.mergeCases(change, action.case_id, action.case_ids)
      return { case_id: action.case_id, case_ids: action.case_ids }
    case 'add_tasks':
      return addTasks(functions, change, action.case_id, action.tasks)
    case 'raise_alert': {
      const { kind: _, log_id, ...alert } = action
      const fields = { ...alert, source: 'hunt', source_ref: log_id, tags: ['agent'] }
      const raised = await functions.raiseAlert(change, AlertCreate.parse(fields))
      return { alert_id: raised.alert.id, is_new: raised.isNew }
    }
    case 'suppress': {
      const { kind: _, rule_id, ...body } = action
      const made = await functions.createSuppression(change, rule_id, body)
      return { rule_id, suppression_id: made.id }
    }
    case 'add_indicators': {
      const { kind: _, ...request } = action
      return functions.blockIndicators(change, request)
    }
    case 'endpoint_action': {
      const { endpoint_id: endpoint, command, reason } = action
      const request = { endpoint, command, reason, requestKey: `proposal:${id}` }
      const receipt = await functions.requestEndpointAction(change, request)
      const { action_id, status, simulated, has_effect } = receipt
      return { action_id, status, simulated, has_effect, endpoint_id: endpoint }
    }
    case 'execute_playbook':
      // It goes on by itself with its own approval.
      return result ?? {}
    case 'disable_account':
      return askToDisable(functions, change, action, { title, rationale })
  }
}

type Of<Kind extends ProposedAction['kind']> = Extract<ProposedAction, { kind: Kind }>

async function openCase(
  functions: ProposalFunctions,
  change: ChangeContext,
  { kind: _, tasks, ...fields }: Of<'open_case'>,
): Promise<Result> {
  const { id } = await functions.openCase(change, fields)
  const { task_ids } = await addTasks(functions, change, id, tasks)
  return { case_id: id, task_ids }
}

async function addTasks(
  functions: ProposalFunctions,
  change: ChangeContext,
  caseId: string,
  tasks: Of<'add_tasks'>['tasks'],
) {
  const ids: string[] = []
  for (const task of tasks) {
    ids.push((await functions.addTask(change, caseId, { ...task, status: 'todo' })).id)
  }
  return { case_id: caseId, task_ids: ids }
}

/** No directory is connected: a person does it, and the task says exactly what. */
function askToDisable(
  functions: ProposalFunctions,
  change: ChangeContext,
  { account, host, alert_ids, reason }: Of<'disable_account'>,
  { title, rationale }: { title: string; rationale: string[] },
): Promise<Result> {
  const where = host === null ? 'the directory' : `the directory or on ${host}`
  const task = {
    title: `Disable the account ${account} in ${where}`,
    description: [reason, ...rationale].join('\n'),
  }
  return openCase(functions, change, {
    kind: 'open_case',
    title,
    severity: 'high',
    description: [reason, ...rationale].join('\n'),
    alert_ids,
    tasks: [task],
  })
}

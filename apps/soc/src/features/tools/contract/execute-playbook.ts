import type { Execution } from '@manara/soc-contract/playbooks'
import { ExecutePlaybookInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const executePlaybook = (functions: ToolFunctions) =>
  defineTool({
    name: 'execute_playbook',
    title: 'Execute a playbook',
    description:
      'Executes a response playbook for an alert and waits for its end. A critical one waits for a person first: call again with the same arguments once it is approved.',
    input: ExecutePlaybookInput,
    effect: 'acts',
    permissions: ['playbooks:execute'],
    async check({ playbook_id, alert_id }, { db }) {
      await functions.checkPlaybook(db, playbook_id)
      await functions.readAlert(db, alert_id)
    },
    async run({ playbook_id, alert_id, parameters, dry_run }, { principal, record, signal }) {
      await functions.limitExecute(principal)
      const begun = await record((change) =>
        functions.executePlaybook(change, {
          playbookId: playbook_id,
          alertId: alert_id,
          parameters,
          isRehearsal: dry_run || functions.isRehearsalOnly,
        }),
      )
      if (begun.status === 'rejected') {
        return {
          ...NOTHING_RUN,
          status: 'rejected',
          error_code: 'APPROVAL_REJECTED' as const,
          error: begun.message,
        }
      }
      if ('steps_total' in begun && begun.requires_approval) {
        return {
          ...NOTHING_RUN,
          status: begun.status,
          error_code: 'APPROVAL_REQUIRED' as const,
          error: `${begun.playbook_name} is critical and waits for a person: call again once it is approved`,
          approval_id: begun.approval_id,
          total_steps: begun.steps_total,
        }
      }
      functions.wakeExecutor()
      const execution = await functions.whenExecuted(begun.execution_id, signal)
      return {
        execution_id: execution.id,
        status: execution.status,
        ...whyNotDone(execution),
        steps_completed: execution.steps_completed,
        total_steps: execution.steps_total,
        dry_run: execution.dry_run,
      }
    },
  })

const ENDED_BADLY = new Map([
  ['failed', 'has failed'],
  ['timed_out', 'took too long'],
  ['cancelled', 'was cancelled'],
])

/** Names the step alone: what a step ran into may be text from outside. */
function whyNotDone({ id, status, steps }: Execution) {
  const how = ENDED_BADLY.get(status)
  if (how === undefined) return {}
  const failed = steps.findLast((step) => step.status === 'failed')
  const where = failed ? ` at ${failed.id}` : ''
  const error = `the playbook ${how}${where}: GET /soar/executions/${id} says why`
  return { error_code: 'CONFLICT' as const, error }
}

const NOTHING_RUN = { execution_id: null, steps_completed: 0, total_steps: 0, dry_run: false }

import { RequestHumanApprovalInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

/**
 * Asks and answers at once: the looking for a decision, ten times every 30 seconds, goes on as
 * stored work that survives a restart. `approval_status` and the event `approval.decided` tell.
 */
export const requestHumanApproval = (functions: ToolFunctions) =>
  defineTool({
    name: 'request_human_approval',
    title: 'Ask a person',
    description:
      'Asks for a decision of a person. The answer is pending at first: look with approval_status, which reports timeout when nobody decided within five minutes.',
    input: RequestHumanApprovalInput,
    effect: 'records',
    permissions: ['investigation:trigger'],
    check: async ({ case_id }, { db }) => case_id && functions.readCase(db, case_id),
    async run({ action, justification, case_id = null, ttl_hours }, { record }) {
      const {
        requested_by: _,
        requested_by_id: _id,
        ...waiting
      } = await record((change) =>
        functions.requestHumanApproval(change, { action, justification, case_id, ttl_hours }),
      )
      return waiting
    },
    shows: ({ approval_id }) => [approval_id],
  })

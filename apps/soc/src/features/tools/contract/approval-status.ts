import { notFound } from '@manara/kit/errors'
import type { ToolErrorCode } from '@manara/soc-contract/tools'
import { ApprovalStatusInput } from '@manara/soc-contract/tools'
import { isBehind } from '../../../core/identity/principal.ts'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

const CODES: Record<string, ToolErrorCode> = {
  rejected: 'APPROVAL_REJECTED',
  timeout: 'APPROVAL_TIMEOUT',
}

/** For who asked, and for those who decide. */
export const approvalStatus = (functions: ToolFunctions) =>
  defineTool({
    name: 'approval_status',
    title: 'What became of an approval',
    description: 'The decision that request_human_approval waits for.',
    input: ApprovalStatusInput,
    effect: 'reads',
    permissions: ['investigation:trigger'],
    async run({ approval_id }, { db, principal }) {
      const { requested_by, requested_by_id, ...waiting } = await functions.readWaiting(
        db,
        approval_id,
      )
      const requester = { name: requested_by, id: requested_by_id }
      const mayLook =
        isBehind(principal, requester) || principal.permissions.has('approvals:manage')
      if (!mayLook) throw notFound('approval', approval_id)
      const error_code = CODES[waiting.status] ?? null
      return { ...waiting, error_code, error: error_code && (waiting.message ?? waiting.status) }
    },
  })

import type { ExecuteBody, PendingApproval, StartedExecution } from '@manara/soc-contract/playbooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { ChangeContext, Changes } from '../../../../core/change/operator-change.ts'
import { sendAsPreview } from '../../../../core/change/preview.ts'
import { principalOf } from '../../../../core/identity/caller.ts'
import type { Mode } from '../../../../core/mode/mode.ts'
import type { Tables } from '../../../../db/tables.ts'
import { playbookById } from '../../definitions/playbooks.store.ts'
import { type ExecuteDeps, startOrAskApproval } from './start-or-ask-approval.ts'

export type AnswerExecute = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: {
    playbookId: string
    body: ExecuteBody | null | undefined
    approvalId: string | undefined
  },
) => Promise<StartedExecution | PendingApproval>

/**
 * In `real` as asked, in `dummy` refused. In `dry_run` it is a rehearsal: its record is stored with
 * simulated outputs, as other simulated receipts are, and marked as a preview. Only a critical
 * playbook that nobody asked to rehearse answers there as it would: an approval would be needed.
 */
export function createAnswerExecute(
  deps: ExecuteDeps & {
    db: Kysely<Tables>
    mode: Mode
    wakeExecutor(): void
  } & Changes,
): AnswerExecute {
  return async (request, reply, { playbookId, body, approvalId }) => {
    const execute = (isRehearsal: boolean) => (change: ChangeContext) =>
      startOrAskApproval(deps, change, {
        playbookId,
        body: body ?? undefined,
        approvalId,
        isRehearsal,
      })
    const isRehearsed =
      deps.mode.operatorChanges === 'previewed' &&
      (body?.dry_run || !(await playbookById(deps.db, playbookId)).is_critical)
    if (!isRehearsed) {
      const answer = await deps.operatorChange(request, reply, 200, execute(false))
      deps.wakeExecutor()
      return answer
    }
    const answer = await deps.internalWorkflow(execute(true), principalOf(request))
    deps.wakeExecutor()
    sendAsPreview(reply)
    return answer
  }
}

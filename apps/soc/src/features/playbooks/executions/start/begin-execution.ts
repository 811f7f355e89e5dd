import { randomUUIDv7 } from 'node:crypto'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import type { ActionFunctions } from '../../actions/functions.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import { findTargets, type TargetFunctions } from './find-targets.ts'
import { contextOf } from './freeze.ts'
import { approvalOf, mustWait } from './start-or-ask-approval.ts'
import { type Ask, scopeOfAsk, storeExecution } from './store-execution.ts'

/**
 * What nobody stands by for: it begins, or, of a critical playbook, waits for its approval and then
 * goes on by itself. Nothing for an alert that has triggered this playbook before.
 */
export async function beginExecution(
  functions: Pick<ActionFunctions, 'requestApproval'> & TargetFunctions,
  change: ChangeContext,
  playbook: PlaybookRow,
  asked: Omit<Ask, 'targets' | 'context'>,
  concerns?: unknown,
) {
  const context = await contextOf(functions, change.tx, asked)
  const targets = await findTargets(functions, playbook, scopeOfAsk(asked, context))
  const ask = { ...asked, targets, context }
  if (!mustWait(playbook, ask)) {
    return storeExecution(change, playbook, { ...ask, context: null })
  }
  const id = randomUUIDv7()
  const request = { ...approvalOf(playbook, ask, id), concerns }
  const approval = await functions.requestApproval(change, request)
  const beginning = { id, status: 'pending_approval', approval_id: approval.id } as const
  return storeExecution(change, playbook, ask, beginning)
}

import { notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import {
  Approval,
  ApprovalDecision,
  ApprovalListQuery,
  ApprovalParams,
} from '@manara/soc-contract/approvals'
import { listOf } from '@manara/soc-contract/lists'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import { ASKING } from '../../core/identity/account-changes.ts'
import { principalOf } from '../../core/identity/caller.ts'
import { isBehind, type Principal } from '../../core/identity/principal.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { Tables } from '../../db/tables.ts'
import { authenticated, requires } from '../../http/permissions.ts'
import { showOne } from '../../showcase/query.ts'
import { approvalById, listApprovals } from './approvals.store.ts'
import { decideApproval, type OnDecided } from './decide-approval.ts'
import { withRefusals } from './may-decide.ts'
import { showApprovals } from './show-approvals.ts'

export type ApprovalDeps = {
  db: Kysely<Tables>
  onDecided: OnDecided
  /** After a decision: whatever waited for it may go on. */
  wakeExecutions(): void
} & Pick<Changes, 'operatorChange'> &
  Reads

const tags = ['approvals']

export function approvalRoutes(http: Http, deps: ApprovalDeps) {
  const { db, operatorChange, readThrough } = deps

  http.get(
    '/approvals',
    {
      ...requires('approvals:manage'),
      schema: {
        tags,
        summary: 'List approvals',
        description: 'Those that wait for a decision, newest first; `status=all` lists every one.',
        querystring: ApprovalListQuery,
        response: { 200: listOf(Approval) },
      },
    },
    (request) =>
      readThrough(
        async () => {
          const list = await listApprovals(db, request.query)
          return { ...list, items: await withRefusals(db, principalOf(request), list.items) }
        },
        ({ approvals }) => showApprovals(approvals, request.query),
      ),
  )

  http.get(
    '/approvals/:approval_id',
    {
      ...authenticated(),
      schema: {
        tags,
        summary: 'One approval',
        description: 'For those with `approvals:manage`, and for whoever asked for it.',
        params: ApprovalParams,
        response: { 200: Approval },
      },
    },
    async (request) => {
      const { approval_id } = request.params
      const approval = await readThrough(
        async () => {
          const found = await approvalById(db, approval_id)
          const [told = found] = await withRefusals(db, principalOf(request), [found])
          return told
        },
        ({ approvals }) => showOne('approval', approvals, approval_id),
      )
      // Who may not read it is not told that it is there.
      if (!mayRead(principalOf(request), approval)) throw notFound('approval', approval_id)
      return approval
    },
  )

  http.post(
    '/approvals/:approval_id/decide',
    {
      ...requires('approvals:manage'),
      schema: {
        tags,
        summary: 'Approve or reject',
        description:
          'Once; who requested it cannot decide, unless they are the only manager or admin.',
        params: ApprovalParams,
        body: ApprovalDecision,
        response: { 200: Approval },
      },
    },
    async (request, reply) => {
      const approval = await operatorChange(request, reply, 200, (change) =>
        decideApproval(deps.onDecided, change, request.params.approval_id, request.body),
      )
      deps.wakeExecutions()
      return approval
    },
  )
}

/** A key that cannot ask for any reads none of its owner's. */
function mayRead(principal: Principal, { requested_by: name, requested_by_id: id }: Approval) {
  const { permissions } = principal
  if (permissions.has('approvals:manage')) return true
  return ASKING.some((one) => permissions.has(one)) && isBehind(principal, { name, id })
}

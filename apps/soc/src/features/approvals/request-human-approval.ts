import { setTimeout as pause } from 'node:timers/promises'
import { notFound } from '@manara/kit/errors'
import type { Approval } from '@manara/soc-contract/approvals'
import type { Kysely } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Principal } from '../../core/identity/principal.ts'
import { isRecordId } from '../../db/record-id.ts'
import type { Tables } from '../../db/tables.ts'
import { approvalById } from './approvals.store.ts'
import { requestApproval } from './request-approval.ts'

const POLLS = 10
const POLL_MS = 30_000

type HumanApproval =
  | { approval_id: string; status: Approval['status']; decided_by: string | null }
  | { approval_id: string; status: 'timeout'; message: string }

export type RequestHumanApproval = (
  request: {
    action: string
    justification: string
    case_id?: string | null
    ttl_hours?: number
  },
  principal: Principal,
  signal?: AbortSignal,
) => Promise<HumanApproval>

/**
 * The agents' tool: asks, then looks every 30 seconds, ten times. Nothing is held meanwhile, no
 * connection and no lock. Giving up ends the looking, not the request: it can be decided until it
 * expires.
 */
export function createRequestHumanApproval(
  deps: {
    db: Kysely<Tables>
    pause?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
  } & Pick<Changes, 'internalWorkflow'>,
): RequestHumanApproval {
  const rest =
    deps.pause ?? ((ms, signal) => pause(ms, undefined, { ref: false, ...(signal && { signal }) }))

  return async (request, principal, signal) => {
    const { action, justification, case_id = null, ttl_hours = 4 } = request
    if (case_id !== null && !isRecordId(case_id)) throw notFound('case', case_id)
    const { id: approval_id } = await deps.internalWorkflow(
      (change) =>
        requestApproval(change, {
          kind: 'request',
          action,
          justification,
          case_id,
          ttl_hours,
          requested_by: principal.username,
          playbook_id: null,
          playbook_name: null,
          execution_id: null,
          alert_id: null,
          parameters: {},
          bound: { action, justification },
        }),
      principal,
    )
    for (let poll = 1; poll <= POLLS; poll += 1) {
      await rest(POLL_MS, signal)
      const { status, decided_by } = await approvalById(deps.db, approval_id)
      if (status === 'timeout') return gaveUp(approval_id, 'it expired before anyone decided')
      if (status !== 'pending') return { approval_id, status, decided_by }
    }
    return gaveUp(approval_id, 'no decision yet: it can still be decided until it expires')
  }
}

const gaveUp = (approval_id: string, message: string) =>
  ({ approval_id, status: 'timeout', message }) as const

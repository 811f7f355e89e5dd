import type { Approval } from '@manara/soc-contract/approvals'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext, Changes } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import { approvalById } from './approvals.store.ts'
import { requestApproval } from './request-approval.ts'
import { standingApproval } from './use-approval.ts'

const POLLS = 10
const POLL_S = 30
const AT_ONCE = 100

type Db = Kysely<Tables>

/** `timeout`: nobody decided while it was waited for; the record may still be decided. */
export type Waiting = Pick<
  Approval,
  'status' | 'decided_by' | 'reason' | 'requested_by' | 'requested_by_id'
> & {
  approval_id: string
  message: string | null
}

/**
 * The agents' tool: asks, and leaves the waiting for `lookForDecisions`. Who asks the same again while
 * nobody has decided is told of the same one, which is waited for anew.
 */
export async function requestHumanApproval(
  change: ChangeContext,
  request: { action: string; justification: string; case_id: string | null; ttl_hours: number },
): Promise<Waiting> {
  const { action, justification, case_id, ttl_hours } = request
  const asked = {
    ...{ playbook_id: null, alert_id: null, case_id, parameters: {} },
    bound: { action, justification },
  }
  const standing = await standingApproval(change, asked)
  const { id } =
    standing?.status === 'pending'
      ? standing
      : await requestApproval(change, {
          ...asked,
          kind: 'request',
          action,
          justification,
          ttl_hours,
          requested_by: change.principal.username,
          playbook_name: null,
          execution_id: null,
        })
  await change.tx
    .insertInto('approval_waits')
    .values({ approval_id: id })
    .onConflict((again) =>
      again.column('approval_id').doUpdateSet((row) => ({
        outcome: null,
        polls: row.ref('excluded.polls'),
        next_poll_at: row.ref('excluded.next_poll_at'),
      })),
    )
    .execute()
  return readWaiting(change.tx, id)
}

/** What the one who asked is told now. */
export async function readWaiting(db: Db, approvalId: string): Promise<Waiting> {
  const approval = await approvalById(db, approvalId)
  const { id, status, decided_by, reason, requested_by, requested_by_id } = approval
  const wait = await db
    .selectFrom('approval_waits')
    .select('outcome')
    .where('approval_id', '=', id)
    .executeTakeFirst()
  const told = { approval_id: id, decided_by, reason, requested_by, requested_by_id }
  if (status === 'timeout') return { ...told, status, message: 'it expired before anyone decided' }
  if (status !== 'pending') return { ...told, status, message: null }
  return wait?.outcome === 'timeout'
    ? { ...told, status: 'timeout', message: STILL_OPEN }
    : { ...told, status, message: 'nobody has decided yet' }
}

const STILL_OPEN = 'no decision yet: it can still be decided until it expires'

/**
 * Looks at what is due; true when there may be more. Giving up ends the looking, not the request:
 * it can be decided until it expires.
 */
export async function lookForDecisions({
  internalWorkflow,
}: Pick<Changes, 'internalWorkflow'>): Promise<boolean> {
  return internalWorkflow(async (change) => {
    const { rows } = await sql<{
      approval_id: string
      outcome: string | null
      cases_named: string[]
    }>`
      UPDATE approval_waits SET polls = polls + 1,
        next_poll_at = now() + ${POLL_S} * interval '1 second',
        outcome = CASE
          WHEN approvals.status <> 'pending' OR approvals.expires_at <= now() THEN 'decided'
          WHEN polls + 1 >= ${POLLS} THEN 'timeout' END
      FROM approvals
      WHERE approvals.id = approval_id AND approval_id IN (
        SELECT approval_id FROM approval_waits WHERE outcome IS NULL AND next_poll_at <= now()
        ORDER BY next_poll_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING approval_id, outcome,
        array_remove(cases_named || case_id, NULL) AS cases_named`.execute(change.tx)
    for (const { approval_id, outcome, cases_named } of rows) {
      if (outcome !== 'timeout') continue
      const waiting = await readWaiting(change.tx, approval_id)
      await change.audit({
        action: 'approval.wait.timeout',
        target: `approval:${approval_id}`,
        after: waiting,
      })
      await change.publish('approval.unanswered', { ...waiting, cases_named })
    }
    return rows.length === AT_ONCE
  })
}

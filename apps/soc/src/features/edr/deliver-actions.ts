import type { EndpointCommand } from '@manara/soc-contract/edr'
import { type Kysely, sql, type UpdateObject } from 'kysely'
import type { Changes } from '../../core/change/operator-change.ts'
import type { Tables } from '../../db/tables.ts'
import type { ActionOutcome, EdrClient } from '../../ports/edr-client.ts'
import { isolationAfter } from './domain/isolation.ts'
import { actionById, lockEndpoint, setIsolation } from './edr.store.ts'

// Longer than the client waits for an answer: a claim that outlives its call was lost with its process.
const CLAIM_S = 6
const AT_ONCE = 8
const RETRY_S = { first: 1, longest: 30 }
const ASK_AGAIN_S = 1
/** An agent may be away for a night; one that was removed is away for ever. */
const MOST_HOURS = 24
const NO_END = `the EDR took it and reported no end within ${MOST_HOURS} hours`

type Claimed = {
  action_id: string
  endpoint_id: string
  external_id: string
  command: EndpointCommand
  status: 'queued' | 'sent'
  attempts: number
  /** Until when it is ours, exactly as the database says it: another claim has another end. */
  claimed_until: string
  is_listed: boolean
  /** The EDR has had it for too long. */
  is_overdue: boolean | null
}

export type DeliveryDeps = { db: Kysely<Tables>; client: EdrClient } & Pick<
  Changes,
  'internalWorkflow'
>

/**
 * Sends what is due and asks after what is under way; true when there may be more. An action that
 * was sent but whose answer was lost, by a kill or by the network, is sent again under the same
 * key, which the EDR has acted upon once.
 */
export async function deliverActions(deps: DeliveryDeps): Promise<boolean> {
  const claimed = await claimDue(deps.db)
  await Promise.all(claimed.map((action) => deliver(deps, action)))
  return claimed.length === AT_ONCE
}

/**
 * Counted before anything is sent. Those of an endpoint that is offline stay where they are, unless
 * the EDR may have heard of them already, or lists the endpoint no more: then it says what is so.
 */
async function claimDue(db: Kysely<Tables>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    UPDATE edr_actions SET attempts = attempts + 1,
      next_attempt_at = now() + ${CLAIM_S} * interval '1 second'
    FROM (
      SELECT action_id, external_id, is_listed FROM edr_actions
      JOIN edr_endpoints ON edr_endpoints.id = endpoint_id
      WHERE edr_actions.status IN ('queued', 'sent') AND next_attempt_at <= now()
        AND (edr_actions.status = 'sent' OR edr_endpoints.status = 'online'
          OR attempts > 0 OR NOT is_listed)
      ORDER BY next_attempt_at LIMIT ${AT_ONCE} FOR UPDATE OF edr_actions SKIP LOCKED
    ) AS due
    WHERE edr_actions.action_id = due.action_id
    RETURNING edr_actions.action_id, endpoint_id, external_id, command, status, attempts,
      next_attempt_at::text AS claimed_until, is_listed,
      sent_at < now() - ${MOST_HOURS} * interval '1 hour' AS is_overdue`.execute(db)
  return rows
}

async function deliver(deps: DeliveryDeps, action: Claimed): Promise<unknown> {
  const { action_id: actionId, external_id: endpointId, command } = action
  const order = { actionId, endpointId, command }
  let outcome: ActionOutcome | undefined
  try {
    outcome = await (action.status === 'sent' ? deps.client.outcome(order) : deps.client.act(order))
  } catch (error) {
    const wait = Math.min(RETRY_S.first * 2 ** (action.attempts - 1), RETRY_S.longest)
    return postpone(deps.db, action, { wait, detail: messageOf(error) })
  }
  if (action.is_overdue && (!outcome || outcome.status === 'running')) {
    return settle(deps, action, { status: 'failed', detail: NO_END })
  }
  // The EDR has forgotten what it took: it gets the order again.
  if (!outcome) return postpone(deps.db, action, { wait: 0, status: 'queued' })
  if (outcome.status === 'running') {
    const { detail } = outcome
    const sent_at = sql<Date>`coalesce(sent_at, now())`
    return postpone(deps.db, action, { wait: ASK_AGAIN_S, status: 'sent', sent_at, detail })
  }
  if (outcome.status === 'offline') return waitForEndpoint(deps, action, outcome.detail)
  return settle(deps, action, { status: outcome.status, detail: outcome.detail })
}

/** False where it is not ours any more: a process that stood still says nothing over what came since. */
async function postpone(
  db: Kysely<Tables>,
  { action_id, claimed_until }: Claimed,
  later: { wait: number } & UpdateObject<Tables, 'edr_actions'>,
): Promise<boolean> {
  const { wait, ...set } = later
  const { numUpdatedRows } = await db
    .updateTable('edr_actions')
    .set({ ...set, next_attempt_at: sql<Date>`now() + ${wait} * interval '1 second'` })
    .where('action_id', '=', action_id)
    .where('status', 'in', ['queued', 'sent'])
    .where('next_attempt_at', '=', sql<Date>`${claimed_until}::timestamptz`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The inventory calls it online again when it is; until then the action is not due. */
async function waitForEndpoint(deps: DeliveryDeps, action: Claimed, detail: string | null) {
  // Nothing was done, says the EDR: as if it had not been sent, it can still be withdrawn.
  const wait = action.is_listed ? RETRY_S.first : RETRY_S.longest
  const isOurs = await postpone(deps.db, action, { wait, attempts: 0, sent_at: null, detail })
  if (!isOurs) return
  await deps.db
    .updateTable('edr_endpoints')
    .set({ status: 'offline' })
    .where('id', '=', action.endpoint_id)
    .execute()
}

async function settle(
  { internalWorkflow }: DeliveryDeps,
  { action_id, endpoint_id, command }: Claimed,
  over: { status: 'completed' | 'failed'; detail: string | null },
) {
  await internalWorkflow(async (change) => {
    const { tx } = change
    await lockEndpoint(tx, endpoint_id)
    const { numUpdatedRows } = await tx
      .updateTable('edr_actions')
      .set({ ...over, completed_at: sql<Date>`now()` })
      .where('action_id', '=', action_id)
      .where('status', 'in', ['queued', 'sent'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    if (command !== 'scan') {
      const isolation = isolationAfter(command, over.status === 'completed')
      await change.publish('endpoint.updated', await setIsolation(tx, endpoint_id, isolation))
    }
    const receipt = await actionById(tx, action_id)
    await change.audit({
      action: `endpoint.${command}.${over.status}`,
      target: `endpoint:${endpoint_id}`,
      after: receipt,
    })
    await change.publish('endpoint.action', receipt)
  })
}

/** What fetch hides in `cause` is what helps: a refused connection, a time limit. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message
}

import { AppError, conflict, unavailable } from '@manara/kit/errors'
import type { EndpointAction, EndpointCommand } from '@manara/soc-contract/edr'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Mode } from '../../core/mode/mode.ts'
import { toAction } from './action-record.ts'
import { refuseCollectors } from './collectors.ts'
import { decideIsolation, type IsolationCommand } from './domain/isolation.ts'
import { actionsOf, insertAction, lockEndpoint, setIsolation } from './edr.store.ts'
import type { EndpointRow } from './endpoint-record.ts'

export type ActionRequest = {
  /** Its id, or its host name. */
  endpoint: string
  command: EndpointCommand
  reason?: string | null | undefined
  /** The same key again is the same request: answered with the receipt there is. */
  requestKey?: string | undefined
  evenIfCollector?: boolean | undefined
  /** Takes an isolation back, which somebody else may have done already. */
  isWayBack?: boolean | undefined
}

export type Adapter = {
  name: string
  /** The setting without which nothing can be sent. */
  missingSetting: string | null
}

export type Requested = {
  action: EndpointAction
  isNew: boolean
  /** False where the endpoint was so before: then there is nothing to take back. */
  hasEffect: boolean
}

const DONE_ALREADY = 'the EDR had done so already'
const RETRY_S = 2

/** What is in the way ends by itself. */
const tooEarly = (why: string) => new AppError(409, why, { retryAfter: RETRY_S })

/**
 * A receipt that waits for delivery, or the one that already stands for this request. In `dry_run`
 * the receipt is a simulated one and the endpoint stays as it is.
 */
export async function requestAction(
  deps: { mode: Mode; adapter: Adapter },
  change: ChangeContext,
  request: ActionRequest,
): Promise<Requested> {
  const { command } = request
  const endpoint = await lockEndpoint(change.tx, request.endpoint)
  const known = await receiptOfKey(change, request.requestKey)
  if (known) return { action: known, isNew: false, hasEffect: known.detail !== DONE_ALREADY }
  if (command === 'isolate' && !request.evenIfCollector) {
    await refuseCollectors(change.tx, [endpoint.hostname])
  }
  const begin = (more: Partial<EndpointAction>) =>
    record(change, endpoint, request, { adapter: deps.adapter.name, ...more })

  if (!deps.mode.actsOutside) {
    return begin({ simulated: true, status: 'completed', detail: 'simulated: nothing was sent' })
  }
  requireAgent(deps.adapter, endpoint)
  if (command === 'scan') {
    const underWay = await lastAction(change, endpoint, ['scan'], ['queued', 'sent'])
    return underWay ? { action: underWay, isNew: false, hasEffect: false } : begin({})
  }
  if (command === 'unisolate' && request.isWayBack && endpoint.isolation === 'none') {
    return begin({ status: 'completed', detail: DONE_ALREADY })
  }
  return steerIsolation(change, endpoint, command, begin)
}

async function steerIsolation(
  change: ChangeContext,
  endpoint: EndpointRow,
  command: IsolationCommand,
  begin: (more: Partial<EndpointAction>) => Promise<Requested>,
): Promise<Requested> {
  const decision = decideIsolation(command, endpoint.isolation)
  if (decision.kind === 'refuse') {
    const why = `${endpoint.hostname} ${decision.why}`
    throw endpoint.isolation === 'releasing' ? tooEarly(why) : conflict(why)
  }
  if (decision.kind === 'withdraw') {
    await withdraw(change, endpoint)
    return begin({ status: 'completed', detail: 'the isolation was withdrawn before it was sent' })
  }
  if (decision.kind === 'begin') {
    const after = await setIsolation(change.tx, endpoint.id, decision.next)
    await change.publish('endpoint.updated', after)
    return begin({})
  }
  // Unless what we did last was the opposite, and somebody else has done this since.
  const standing = await lastAction(
    change,
    endpoint,
    ['isolate', 'unisolate'],
    ['queued', 'sent', 'completed'],
  )
  if (standing?.command === command) return { action: standing, isNew: false, hasEffect: false }
  return begin({ status: 'completed', detail: DONE_ALREADY })
}

function requireAgent(adapter: Adapter, endpoint: EndpointRow) {
  if (adapter.missingSetting) {
    throw unavailable(
      `no EDR is connected: set ${adapter.missingSetting} and start again; nothing was done`,
    )
  }
  if (endpoint.external_id === null) {
    throw conflict(`${endpoint.hostname} has no EDR agent: it is only known from the logs`)
  }
}

async function record(
  change: ChangeContext,
  endpoint: EndpointRow,
  request: ActionRequest,
  more: Partial<EndpointAction> & { adapter: string },
): Promise<Requested> {
  const { status = 'queued', simulated = false, adapter, detail = waitsFor(endpoint) } = more
  const action = await insertAction(change.tx, endpoint, {
    command: request.command,
    status,
    simulated,
    adapter,
    requested_by: change.principal.username,
    request_key: request.requestKey,
    reason: request.reason,
    detail,
    completed_at: status === 'completed' ? new Date() : null,
  })
  await change.audit({
    action: `endpoint.${request.command}`,
    target: `endpoint:${endpoint.id}`,
    after: action,
  })
  await change.publish('endpoint.action', action)
  return { action, isNew: true, hasEffect: detail !== DONE_ALREADY }
}

const waitsFor = ({ status }: EndpointRow) =>
  status === 'online' ? null : 'waits until the endpoint is online'

/** Only what was never handed to the EDR can be taken back: the delivery counts before it sends. */
async function withdraw(change: ChangeContext, endpoint: EndpointRow) {
  const withdrawn = await change.tx
    .updateTable('edr_actions')
    .set({ status: 'cancelled', detail: 'withdrawn before it was sent', completed_at: new Date() })
    .where('endpoint_id', '=', endpoint.id)
    .where('command', '=', 'isolate')
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .returningAll()
    .executeTakeFirst()
  if (!withdrawn) {
    throw tooEarly(`${endpoint.hostname} is being isolated: release it when that is done`)
  }
  await change.publish('endpoint.action', toAction({ ...withdrawn, hostname: endpoint.hostname }))
  await change.publish('endpoint.updated', await setIsolation(change.tx, endpoint.id, 'none'))
}

async function lastAction(
  change: ChangeContext,
  endpoint: EndpointRow,
  commands: EndpointCommand[],
  statuses: EndpointAction['status'][],
): Promise<EndpointAction | undefined> {
  const row = await actionsOf(change.tx)
    .where('endpoint_id', '=', endpoint.id)
    .where('command', 'in', commands)
    .where('edr_actions.status', 'in', statuses)
    .where('simulated', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('action_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toAction(row)
}

async function receiptOfKey({ tx }: ChangeContext, key: string | undefined) {
  if (key === undefined) return undefined
  const row = await actionsOf(tx).where('request_key', '=', key).executeTakeFirst()
  return row && toAction(row)
}

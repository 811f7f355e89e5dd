import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@manara/kit/logging'
import { hiddenFromUser, hiding } from '../../../core/access/reader.ts'
import type { ChangeContext, Changes } from '../../../core/change/operator-change.ts'
import { withDetail } from '../../../core/change/with-detail.ts'
import type { Principal } from '../../../core/identity/principal.ts'
import { isAway } from '../../../core/mode/is-away.ts'
import type { Mode } from '../../../core/mode/mode.ts'
import { isCollision, isConnectionFailure } from '../../../db/connection-failure.ts'
import type { Action, Actions, Run } from '../actions/action.ts'
import type { ActionFunctions } from '../actions/functions.ts'
import type { ExecutionRow, StepRow } from './execution-record.ts'
import { lockExecution } from './executions.store.ts'

export type Engine = {
  actions: Actions
  functions: Pick<ActionFunctions, 'readAlert' | 'readCase' | 'withdrawApproval' | 'openSecrets'>
  mode: Mode
  /** This process: what it does to an execution counts only while that is its own. */
  owner: string
  now(): Date
  log: Logger
} & Pick<Changes, 'internalWorkflow'>

/** An execution under way here; `signal` breaks off what runs, stopping begins nothing new. */
export type UnderWay = {
  id: string
  playbookId: string
  signal: AbortSignal
  isStopping(): boolean
  /**
   * Steps that were recorded as begun here, or as being taken back, and not acted on yet. The answer
   * to that may be lost with the connection; what this process knows it did not do is no unknown
   * outcome.
   */
  begun: Set<number>
}

/** Done outside of the transaction that decided it; `over` when there is nothing more to do here. */
export type Task = () => Promise<Progress>
export type Progress = 'over' | 'on'

export type Held = { change: ChangeContext; row: ExecutionRow; steps: StepRow[] }

export const RETRY_MS = 500

export const LOST = Symbol('another process took the execution over')

/**
 * A transaction on an execution that is still ours, as the playbook's own doing. It sees the cases
 * that whoever asked for the execution may read now: else a playbook would read any for them.
 */
export function onOwn<T>(
  { internalWorkflow, owner }: Engine,
  { id, playbookId }: UnderWay,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  return internalWorkflow(async (change) => {
    const { row, steps } = await lockExecution(change.tx, id)
    if (row.owner !== owner) throw LOST
    const doing = `execution ${id}, asked for by ${row.requested_by}`
    const held = { change: withDetail(change, doing), row, steps }
    return hiding(await hiddenFromRequester(held), () => work(held))
  }, principalOf(playbookId))
}

/** The same for what happened outside: it is not forgotten because the database is away for a while. */
export async function onOwnInTheEnd<T>(
  engine: Engine,
  execution: UnderWay,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await onOwn(engine, execution, work)
    } catch (error) {
      if (!isAway(error) || execution.signal.reason === 'stopped') throw error
      await pause(RETRY_MS, undefined, { ref: false })
    }
  }
}

/** Rules, agents and the service itself are no users: nothing is hidden from them. */
async function hiddenFromRequester({ change, row, steps }: Held): Promise<ReadonlySet<string>> {
  if (row.requested_by_id === null) return new Set()
  const hidden = await hiddenFromUser(change.tx, row.requested_by_id)
  const opened = new Set(steps.flatMap(openedForOthers))
  return new Set([...hidden].filter((id) => !opened.has(id)))
}

/** Who opens a case reads it: an execution that opens one for others than its requester goes on. */
function openedForOthers({ action, input, output }: StepRow): string[] {
  if (action !== 'create_case' || output?.created !== true) return []
  const { access, tlp } = (input ?? {}) as { access?: { mode?: unknown }; tlp?: unknown }
  const isPrivate = access?.mode === 'private' || tlp === 'amber+strict' || tlp === 'red'
  return isPrivate ? [String(output.case_id)] : []
}

/**
 * The same, for work that may fail by itself: that is an outcome, and nothing of the work stays. A
 * database that is away is no outcome.
 */
export async function attemptOnOwn<T>(
  engine: Engine,
  execution: UnderWay,
  work: (held: Held) => Promise<T>,
): Promise<{ value: T } | { thrown: unknown }> {
  let thrown: unknown
  try {
    const value = await onOwn(engine, execution, async (held) => {
      try {
        return await work(held)
      } catch (error) {
        if (!isConnectionFailure(error) && !isCollision(error)) thrown = error
        throw error
      }
    })
    return { value }
  } catch (error) {
    if (error !== thrown) throw error
    return { thrown }
  }
}

/** What a playbook does is done in its own name; who started it is on the execution and in the audit log. */
const principalOf = (playbookId: string): Principal => ({
  username: `playbook:${playbookId}`,
  role: 'service',
  permissions: new Set(),
  kind: 'playbook',
})

export function runOf(
  row: ExecutionRow,
  step: StepRow,
  signal: AbortSignal,
  isWayBack = false,
): Run {
  return {
    executionId: row.id,
    stepId: step.id,
    playbookId: row.playbook_id,
    playbookName: row.playbook_name,
    requestedBy: row.requested_by,
    alertId: row.alert_id,
    caseId: row.case_id,
    idempotencyKey: `${row.id}:${step.id}${isWayBack ? ':undo' : ''}`,
    isWayBack,
    signal,
  }
}

/** Outside only in `real`; in a rehearsal nothing but reading is done. */
export function isSimulated({ mode }: Engine, { dry_run }: ExecutionRow, { effect }: Action) {
  if (effect === 'reads') return false
  return dry_run || (effect === 'acts' && !mode.actsOutside)
}

import { randomUUIDv7 } from 'node:crypto'
import type { ApprovalTarget } from '@manara/soc-contract/approvals'
import type { Execution, PlaybookTrigger } from '@manara/soc-contract/playbooks'
import { sql } from 'kysely'
import { namedIn } from '../../../../core/access/cases-named.ts'
import type { ChangeContext } from '../../../../core/change/operator-change.ts'
import { isDemonstration } from '../../../../core/demonstration/marks.ts'
import { storableJson } from '../../../../db/storable.ts'
import type { FrozenContext } from '../../../../db/tables/response.ts'
import type { PlaybookRow } from '../../definitions/playbook-record.ts'
import type { Scope } from '../../domain/evaluate.ts'
import { toExecution, toldOf, withoutSteps } from '../execution-record.ts'
import { stepsOf } from '../executions.store.ts'

export type Ask = {
  trigger: PlaybookTrigger['on']
  dry_run: boolean
  alert_id: string | null
  case_id: string | null
  parameters: Record<string, unknown>
  /** Of a critical playbook: whom its steps reach. */
  targets: ApprovalTarget[]
  requested_by: string
  /** Since somebody approved, or is asked to: templates read these, not what they became. */
  context: FrozenContext | null
}

/** What an ask is about, for expressions. */
export const scopeOfAsk = (
  { parameters: params, requested_by }: Pick<Ask, 'parameters' | 'requested_by'>,
  context: FrozenContext,
): Scope => ({ ...context, params, steps: {}, execution: { requested_by } })

/** What waits for a decision is not due at any time. */
export type Beginning =
  | { id: string; status: 'pending'; approval_id: string | null }
  | { id: string; status: 'pending_approval'; approval_id: string }

/** Stored with all its steps; nothing for an alert that has triggered this playbook before. */
export async function storeExecution(
  change: ChangeContext,
  playbook: PlaybookRow,
  ask: Ask,
  beginning: Beginning = { id: randomUUIDv7(), status: 'pending', approval_id: null },
): Promise<Execution | undefined> {
  const row = await change.tx
    .insertInto('executions')
    .values({
      ...ask,
      ...beginning,
      // About an invented incident nothing real is touched, whoever asks.
      dry_run: ask.dry_run || isDemonstration(ask.alert_id, ask.case_id),
      playbook_id: playbook.id,
      playbook_name: playbook.name,
      playbook_version: playbook.version,
      approvers: playbook.approvers,
      approver_ids: playbook.approver_ids,
      plan: JSON.stringify(playbook.steps),
      parameters: JSON.stringify(ask.parameters),
      context: storableJson(ask.context),
      targets: JSON.stringify(ask.targets),
      // Of its approval too: that may rest on a case which only the one who proposed it named.
      cases_named: sql`ARRAY(SELECT unnest(${namedIn(ask.parameters, playbook.steps)})
        UNION SELECT unnest(cases_named) FROM approvals WHERE id = ${beginning.approval_id})`,
      timeout_s: playbook.timeout_s,
      resume_at:
        beginning.status === 'pending' ? sql<string>`now()` : sql<string>`'infinity'::timestamptz`,
    })
    .onConflict((conflict) =>
      conflict.columns(['playbook_id', 'alert_id']).where('trigger', '<>', 'manual').doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await change.tx
    .insertInto('execution_steps')
    .values(
      playbook.steps.map(({ id, action }, position) => ({
        execution_id: row.id,
        position,
        id,
        action,
      })),
    )
    .execute()
  const steps = await stepsOf(change.tx, row.id)
  await change.audit({
    action: 'playbook.execute',
    target: `playbook:${playbook.id}`,
    after: {
      ...withoutSteps(row, steps),
      parameters: ask.parameters,
      cases_named: row.cases_named,
    },
  })
  await change.publish('execution.created', toldOf(row, steps))
  return toExecution(row, steps)
}
